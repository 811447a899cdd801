#ifndef SHALE_FILESYSTEM_POSIX_DIRECTORIES_H_
#define SHALE_FILESYSTEM_POSIX_DIRECTORIES_H_

#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "shale/filesystem/file_descriptor.h"

namespace shale {

// Where a backend's own files of a directory lie: names of files and of
// metadata objects never begin with a dot.
inline constexpr absl::string_view kOwnDirectory = ".meta";

// "a/b" for "a" and "b"; an empty part is left out.
std::string JoinPath(absl::string_view directory, absl::string_view part);

// The path that opens `directory`, relative to the root.
std::string DirectoryPath(absl::string_view directory);

// The directories below a root. A directory is made when it is first written
// to, and its entry made durable, even if it was there already: the process
// that made it may have died before it could do so. Thread-safe.
class PosixDirectories {
 public:
  // With `make`, the root and what is above it are made where missing;
  // otherwise that is kNotFound.
  static absl::StatusOr<FileDescriptor> OpenRoot(absl::string_view root,
                                                 bool make);

  explicit PosixDirectories(FileDescriptor root) : root_(std::move(root)) {}

  // For openat(2) and the like.
  int root() const { return root_.get(); }

  // `op` and `name` are for the message.
  absl::Status Make(absl::string_view op, absl::string_view name,
                    absl::string_view directory) ABSL_LOCKS_EXCLUDED(mu_);

  // Makes the entries of `directory` durable; 0 or an errno. What that means
  // for the call that changed one of them, its caller knows.
  int Sync(absl::string_view directory) const;

 private:
  const FileDescriptor root_;
  absl::Mutex mu_;  // Held while directories are made, which is rare.
  absl::flat_hash_set<std::string> durable_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_POSIX_DIRECTORIES_H_
