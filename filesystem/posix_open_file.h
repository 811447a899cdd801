#ifndef SHALE_FILESYSTEM_POSIX_OPEN_FILE_H_
#define SHALE_FILESYSTEM_POSIX_OPEN_FILE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "shale/filesystem/append_file.h"
#include "shale/filesystem/file_descriptor.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/posix_directories.h"

namespace shale {

// A file that is being written, shared by its writer and by who seals it. A
// finished file is one without write permission.
//
// The kernel reports a failed write-back once for each open(2) of the file that
// was there when it failed. So syncs that run side by side each have a
// descriptor of their own, opened with the file: on a common one, one of them
// would get the error and the other a success that is not true.
//
// Thread-safe.
class PosixOpenFile {
 public:
  // Makes the file, and its directory if need be. `directories` must outlive
  // it.
  static absl::StatusOr<std::shared_ptr<PosixOpenFile>> Create(
      PosixDirectories& directories, absl::string_view name, FileKind kind,
      const CreateOptions& options);
  // One that an earlier process wrote; for Finish alone.
  static absl::StatusOr<std::shared_ptr<PosixOpenFile>> OpenLeftover(
      PosixDirectories& directories, absl::string_view name);

  // As BlockingFile. What a failed Write has written of its bytes is cut off.
  absl::Status Write(uint64_t offset, absl::string_view bytes)
      ABSL_LOCKS_EXCLUDED(write_mu_);
  absl::Status Sync(SyncMode mode) ABSL_LOCKS_EXCLUDED(sync_mu_);

  // Waits for a Write under way, refuses later ones, and makes everything
  // durable. The final size. Idempotent.
  absl::StatusOr<uint64_t> Finish() ABSL_LOCKS_EXCLUDED(write_mu_, sync_mu_);

  static bool IsFinished(unsigned mode);

 private:
  PosixOpenFile(PosixDirectories& directories, absl::string_view name)
      : directories_(directories), name_(name) {}

  FileDescriptor TakeSyncDescriptor() ABSL_LOCKS_EXCLUDED(sync_mu_);

  PosixDirectories& directories_;
  const std::string name_;

  absl::Mutex write_mu_;  // Held during writes. Order: write_mu_ -> sync_mu_.
  FileDescriptor file_ ABSL_GUARDED_BY(write_mu_);
  bool preallocated_ ABSL_GUARDED_BY(write_mu_) = false;
  bool finished_ ABSL_GUARDED_BY(write_mu_) = false;

  absl::Mutex sync_mu_;  // A leaf; not held during syncs.
  std::vector<FileDescriptor> sync_descriptors_ ABSL_GUARDED_BY(sync_mu_);
  bool name_durable_ ABSL_GUARDED_BY(sync_mu_) = false;
  // Once a sync has failed, no later one can be believed.
  absl::Status sync_failure_ ABSL_GUARDED_BY(sync_mu_);
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_POSIX_OPEN_FILE_H_
