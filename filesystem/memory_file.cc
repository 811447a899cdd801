#include "shale/filesystem/memory_file.h"

#include <algorithm>
#include <utility>

#include "shale/base/status_macros.h"
#include "shale/filesystem/outcome.h"

namespace shale {
namespace {

// What a page cache writes at a time, and what a device writes as one.
constexpr size_t kPageBytes = 4096;
constexpr size_t kSectorBytes = 512;

std::string Survivors(absl::string_view bytes, size_t durable, Random& random) {
  enum Fate { kAll, kNone, kAnyPages, kAnySectors, kFates };
  const uint64_t fate = random.Uniform(kFates);
  if (fate == kAll) return std::string(bytes);
  if (fate == kNone) return std::string(bytes.substr(0, durable));
  const size_t size =
      random.OneIn(2) ? bytes.size()
                      : durable + random.Uniform(bytes.size() - durable + 1);
  std::string left(bytes.substr(0, size));
  const size_t unit = fate == kAnyPages ? kPageBytes : kSectorBytes;
  for (size_t start = durable / unit * unit; start < size; start += unit) {
    if (random.OneIn(2)) continue;
    std::fill(left.begin() + std::max(start, durable),
              left.begin() + std::min(start + unit, size), '\0');
  }
  return left;
}

}  // namespace

MemoryFile::~MemoryFile() {
  absl::MutexLock lock(&mu_);
  space_.Give(taken_bytes_);
}

bool MemoryFile::Grow(uint64_t bytes) {
  if (bytes <= taken_bytes_) return true;
  if (!space_.Take(bytes - taken_bytes_)) return false;
  taken_bytes_ = bytes;
  return true;
}

bool MemoryFile::Reserve(uint64_t bytes) {
  absl::MutexLock lock(&mu_);
  return Grow(bytes);
}

absl::Status MemoryFile::CheckAlive(absl::string_view op,
                                    absl::string_view name) const {
  if (!crashed_) return absl::OkStatus();
  return FileError(FileOutcome::kFenced, op, name,
                   "opened before the file system crashed");
}

absl::Status MemoryFile::Append(absl::string_view name,
                                absl::string_view bytes) {
  absl::MutexLock lock(&mu_);
  SHALE_RETURN_IF_ERROR(CheckAlive("append to", name));
  if (finished_) {
    return FileError(FileOutcome::kConflict, "append to", name,
                     "the file is sealed");
  }
  if (!Grow(bytes_.size() + bytes.size())) {
    return FileError(FileOutcome::kNoSpace, "append to", name,
                     "the file system is full");
  }
  bytes_.append(bytes.data(), bytes.size());
  return absl::OkStatus();
}

absl::Status MemoryFile::Sync(absl::string_view name) {
  absl::MutexLock lock(&mu_);
  SHALE_RETURN_IF_ERROR(CheckAlive("sync", name));
  durable_bytes_ = bytes_.size();
  return absl::OkStatus();
}

absl::StatusOr<uint64_t> MemoryFile::Finish(absl::string_view name) {
  absl::MutexLock lock(&mu_);
  SHALE_RETURN_IF_ERROR(CheckAlive("finish", name));
  durable_bytes_ = bytes_.size();
  finished_ = true;
  space_.Give(taken_bytes_ - bytes_.size());
  taken_bytes_ = bytes_.size();
  return durable_bytes_;
}

absl::StatusOr<std::string> MemoryFile::Read(absl::string_view name,
                                             FileExtent extent) const {
  absl::ReaderMutexLock lock(&mu_);
  SHALE_RETURN_IF_ERROR(CheckAlive("read", name));
  if (extent.offset >= bytes_.size()) return std::string();
  return bytes_.substr(extent.offset, extent.length);
}

bool MemoryFile::finished() const {
  absl::ReaderMutexLock lock(&mu_);
  return finished_;
}

uint64_t MemoryFile::size() const {
  absl::ReaderMutexLock lock(&mu_);
  return bytes_.size();
}

std::shared_ptr<MemoryFile> MemoryFile::Crash(Random& random) {
  absl::MutexLock lock(&mu_);
  crashed_ = true;
  auto after = std::make_shared<MemoryFile>(space_);
  absl::MutexLock after_lock(&after->mu_);
  after->bytes_ = Survivors(bytes_, durable_bytes_, random);
  after->durable_bytes_ = after->bytes_.size();
  after->finished_ = finished_;
  // What was set aside stays so.
  after->taken_bytes_ = std::exchange(taken_bytes_, 0);
  return after;
}

}  // namespace shale
