#include "shale/region/space_reserve.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "shale/filesystem/blocking.h"

namespace shale {
namespace {

constexpr absl::string_view kSource = "reserve";

}  // namespace

SpaceReserve::SpaceReserve(FileSystem& files, const OwnerToken& token,
                           absl::string_view directory, int64_t bytes,
                           LogSink& log)
    : files_(files),
      token_(token),
      prefix_(absl::StrCat(directory, "/reserve/")),
      bytes_(bytes),
      log_(log) {}

void SpaceReserve::Reclaim() {
  const absl::StatusOr<std::vector<FileListing::Entry>> left =
      ListFiles(files_, prefix_);
  if (!left.ok()) {
    log_.Log(Severity::kWarning, kSource, left.status().message());
    return;
  }
  absl::MutexLock lock(&mu_);
  for (const FileListing::Entry& entry : *left) strays_.push_back(entry.name);
  RemoveStrays();
}

void SpaceReserve::Renew() {
  absl::MutexLock lock(&mu_);
  RemoveStrays();
  if (bytes_ == 0 || file_ != nullptr) return;
  name_ = absl::StrFormat("%s%016x-%08x", prefix_, token_.epoch, ++made_);
  absl::StatusOr<std::unique_ptr<AppendFile>> file = CreateFile(
      files_, name_, FileKind::kData, token_,
      {.expected_bytes = static_cast<uint64_t>(bytes_), .must_reserve = true});
  if (file.ok()) {
    file_ = *std::move(file);
    told_ = false;
    return;
  }
  if (absl::IsUnknown(file.status())) strays_.push_back(name_);
  if (!std::exchange(told_, true)) {
    log_.Log(Severity::kWarning, kSource,
             absl::StrCat("no space is set aside for the next flush: ",
                          file.status().message()));
  }
}

bool SpaceReserve::Release() {
  absl::MutexLock lock(&mu_);
  if (file_ != nullptr) {
    file_.reset();  // An open file would keep its space.
    strays_.push_back(name_);
  }
  return RemoveStrays();
}

bool SpaceReserve::RemoveStrays() {
  bool any = false;
  std::vector<std::string> left;
  for (std::string& name : strays_) {
    const absl::Status removed = RemoveFile(files_, name, token_);
    any = any || removed.ok();
    if (removed.ok() || absl::IsNotFound(removed)) continue;
    log_.Log(Severity::kWarning, kSource,
             absl::StrCat("space stays set aside: ", removed.message()));
    left.push_back(std::move(name));
  }
  strays_ = std::move(left);
  return any;
}

}  // namespace shale
