#ifndef SHALE_FILESYSTEM_POSIX_META_STORE_H_
#define SHALE_FILESYSTEM_POSIX_META_STORE_H_

#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "shale/filesystem/file_descriptor.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/posix_directories.h"

namespace shale {

// The metadata objects of a PosixFileSystem: "a/b" is the file a/.meta/b, in
// the format of metadata_object.h. A commit writes and syncs a/.meta/.new,
// renames it, and syncs a/.meta, all under an exclusive flock on a/.meta, so
// that it is a compare-and-swap among processes too. A read takes that lock
// shared, and so never sees a commit that is not yet durable.
//
// A commit cut short leaves a .new, which nobody reads and the next commit
// replaces: who only looks changes nothing.
//
// A process that died, or an fsync that failed, after the rename leaves an
// object that may not be durable; so the first read in a directory, and the one
// after such a failure, syncs it again.
//
// Names were checked by the caller, or begin with a dot. Thread-safe.
class PosixMetaStore {
 public:
  // `directories` must outlive the store. With `read_only`, which is for Read
  // alone, nothing is changed on disk.
  PosixMetaStore(PosixDirectories& directories, bool read_only)
      : directories_(directories), read_only_(read_only) {}

  // As the methods of FileSystem, without tokens. The version of `next` is
  // above `expected`. Remove of what isn't there succeeds. Errors name the
  // object's file.
  absl::StatusOr<MetaObject> Read(absl::string_view name)
      ABSL_LOCKS_EXCLUDED(mu_);
  absl::Status Commit(absl::string_view name, const MetaObject& next,
                      MetaVersion expected) ABSL_LOCKS_EXCLUDED(mu_);
  absl::Status Remove(absl::string_view name) ABSL_LOCKS_EXCLUDED(mu_);

 private:
  // Opens and locks the directory of `name`; not open if there is none.
  absl::StatusOr<FileDescriptor> LockDirectory(absl::string_view op,
                                               absl::string_view name,
                                               FileDescriptor::Lock lock) const;
  // Makes durable what the directory of `name` holds, unless this store knows
  // that it is.
  absl::Status Settle(absl::string_view name) ABSL_LOCKS_EXCLUDED(mu_);
  // With the directory locked: syncs it, and remembers whether that worked. An
  // error, even of space, leaves what was changed in it for all to see.
  absl::Status Sync(absl::string_view op, absl::string_view name,
                    const FileDescriptor& directory) ABSL_LOCKS_EXCLUDED(mu_);
  bool IsSettled(absl::string_view name) const ABSL_LOCKS_EXCLUDED(mu_);

  PosixDirectories& directories_;
  const bool read_only_;
  mutable absl::Mutex mu_;  // A leaf.
  // Directories all of whose objects are durable.
  absl::flat_hash_set<std::string> settled_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_POSIX_META_STORE_H_
