#ifndef SHALE_FILESYSTEM_MEMORY_FILE_H_
#define SHALE_FILESYSTEM_MEMORY_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/random.h"
#include "shale/filesystem/memory_space.h"
#include "shale/filesystem/read_file.h"

namespace shale {

// The bytes of one file of a MemoryFileSystem, shared by its names and by all
// who have it open. Some are durable, a prefix; a crash decides about the rest.
// Thread-safe.
class MemoryFile {
 public:
  // Takes what it needs of `space`, which outlives it.
  explicit MemoryFile(MemorySpace& space) : space_(space) {}
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  // Sets space for this many bytes aside, until Finish. False if there isn't.
  bool Reserve(uint64_t bytes) ABSL_LOCKS_EXCLUDED(mu_);

  // What the calls below fail with is an error about `name`.
  absl::Status Append(absl::string_view name, absl::string_view bytes)
      ABSL_LOCKS_EXCLUDED(mu_);
  absl::Status Sync(absl::string_view name) ABSL_LOCKS_EXCLUDED(mu_);
  // Syncs, and refuses appends from here on. Idempotent. The final size.
  absl::StatusOr<uint64_t> Finish(absl::string_view name)
      ABSL_LOCKS_EXCLUDED(mu_);
  // As ReadFile::ReadNow.
  absl::StatusOr<std::string> Read(absl::string_view name,
                                   FileExtent extent) const
      ABSL_LOCKS_EXCLUDED(mu_);

  bool finished() const ABSL_LOCKS_EXCLUDED(mu_);
  uint64_t size() const ABSL_LOCKS_EXCLUDED(mu_);

  // The file as a crash leaves it, which is the end of this one: all calls fail
  // from here on. Durable bytes stay. Of the others the device has, as `random`
  // draws, all, none, or any of the pages or of the 512-byte sectors: those
  // that it lacks read as zeros, and the size is anything from the durable one
  // on.
  std::shared_ptr<MemoryFile> Crash(Random& random) ABSL_LOCKS_EXCLUDED(mu_);

 private:
  absl::Status CheckAlive(absl::string_view op, absl::string_view name) const
      ABSL_SHARED_LOCKS_REQUIRED(mu_);
  // Takes space for `bytes` in all. False, and nothing, if there isn't.
  bool Grow(uint64_t bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  MemorySpace& space_;
  mutable absl::Mutex mu_;                         // Takes that of space_.
  uint64_t taken_bytes_ ABSL_GUARDED_BY(mu_) = 0;  // Of space_.
  std::string bytes_ ABSL_GUARDED_BY(mu_);
  size_t durable_bytes_ ABSL_GUARDED_BY(mu_) = 0;
  bool finished_ ABSL_GUARDED_BY(mu_) = false;
  bool crashed_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_MEMORY_FILE_H_
