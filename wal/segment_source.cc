#include "shale/wal/segment_source.h"

#include <utility>

#include "shale/wal/segment_name.h"

namespace shale {

SegmentSource::SegmentSource(FileSystem& files, absl::string_view directory,
                             const OwnerToken& token, uint64_t expected_bytes)
    : files_(files),
      directory_(directory),
      token_(token),
      expected_bytes_(expected_bytes) {}

SegmentSource::~SegmentSource() {
  if (!ahead_.has_value()) return;
  const auto file = ahead_->Wait();
  if (file.ok()) (*file)->Abandon();
}

void SegmentSource::Prepare() {
  if (ahead_.has_value()) return;
  ++counter_;
  ahead_.emplace();
  files_.Create(SegmentName(directory_, {token_.epoch, counter_}),
                FileKind::kLog, token_, {.expected_bytes = expected_bytes_},
                ahead_->callback());
}

absl::StatusOr<SegmentSource::Fresh> SegmentSource::Take() {
  for (bool retried = !ahead_.has_value();; retried = true) {
    Prepare();
    auto file = ahead_->Wait();
    ahead_.reset();
    if (file.ok()) {
      return Fresh{counter_, SegmentName(directory_, {token_.epoch, counter_}),
                   *std::move(file)};
    }
    if (retried) return file.status();
  }
}

}  // namespace shale
