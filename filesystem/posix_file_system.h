#ifndef SHALE_FILESYSTEM_POSIX_FILE_SYSTEM_H_
#define SHALE_FILESYSTEM_POSIX_FILE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/filesystem/file_descriptor.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/lease_grants.h"
#include "shale/filesystem/posix_directories.h"
#include "shale/filesystem/posix_meta_store.h"
#include "shale/filesystem/posix_open_file.h"
#include "shale/filesystem/task_group.h"

namespace shale {

// Of PosixFileSystem.
struct PosixFileSystemOptions {
  // Runs the asynchronous calls, each of which keeps a thread while the kernel
  // works on it, and the callbacks. Outlives the file system.
  Executor& executor;
  // Says since when a directory has been owned. Outlives the file system.
  Clock& clock;
  // Nothing on disk is changed, not even to make the root: every mutation, also
  // Acquire, is INVALID_ARGUMENT.
  bool read_only = false;
};

// A directory of the machine. On disk, below the root:
//
//   a/b             the file "a/b"; without write permission once finished
//   a/.meta/b       the metadata object "a/b" (posix_meta_store.h)
//   a/.meta/.owner  the last owner of "a"; the object's version is the epoch
//   a/.meta/.lock   empty; the owner of "a" holds an exclusive flock(2) on it,
//                   those who Share it a shared one
//
// So a dead owner blocks nobody. The record of an owner is written before the
// first change made with its token. Directories are made on demand. AppendNow,
// SyncNow and ReadNow work in the calling thread. Thread-safe.
class PosixFileSystem final : public FileSystem {
 public:
  // `root` is a path; it is made where missing, unless read_only: then that is
  // NOT_FOUND.
  static absl::StatusOr<std::unique_ptr<PosixFileSystem>> Open(
      absl::string_view root, const PosixFileSystemOptions& options);

  // For inspection: whose epoch is on record for `directory`, which may be the
  // one that owns it now. Blocks. NOT_FOUND if there is no record, DATA_LOSS
  // naming file and offset if it is damaged.
  absl::StatusOr<OwnerToken> LastOwner(const std::string& directory);

  FileSystemCapabilities capabilities() const override;
  void Create(absl::string_view name, FileKind kind, const OwnerToken& token,
              const CreateOptions& options, CreateCallback done) override;
  void Open(absl::string_view name, std::optional<uint64_t> known_size,
            OpenCallback done) override;
  void Remove(absl::string_view name, const OwnerToken& token,
              StatusCallback done) override;
  void Clone(absl::string_view from, absl::string_view to,
             const OwnerToken& token, StatusCallback done) override;
  void List(absl::string_view prefix, absl::string_view cursor,
            ListCallback done) override;
  void ReadMeta(absl::string_view name, MetaCallback done) override;
  void CommitMeta(absl::string_view name, std::string bytes,
                  MetaVersion expected, const OwnerToken& token,
                  CommitCallback done) override;
  void Acquire(absl::string_view directory, absl::string_view owner,
               uint64_t above, AcquireCallback done) override;
  void Share(absl::string_view directory, AcquireCallback done) override;
  void Seal(absl::string_view name, const OwnerToken& successor,
            SealCallback done) override;

 private:
  class Writer;

  PosixFileSystem(FileDescriptor root, const PosixFileSystemOptions& options);

  // Has call() run on the executor, and then done() with its result.
  template <typename Call, typename Done>
  void RunAsync(Call call, Done done);

  // The calls themselves, which block.
  absl::StatusOr<std::unique_ptr<AppendFile>> CreateNow(
      const std::string& name, FileKind kind, const OwnerToken& token,
      const CreateOptions& options) ABSL_LOCKS_EXCLUDED(mu_);
  absl::StatusOr<std::unique_ptr<ReadFile>> OpenNow(
      const std::string& name, std::optional<uint64_t> known_size);
  absl::Status RemoveNow(const std::string& name, const OwnerToken& token);
  absl::Status CloneNow(const std::string& from, const std::string& to,
                        const OwnerToken& token);
  absl::StatusOr<MetaObject> ReadMetaNow(const std::string& name);
  absl::StatusOr<MetaVersion> CommitMetaNow(const std::string& name,
                                            std::string bytes,
                                            MetaVersion expected,
                                            const OwnerToken& token);
  absl::StatusOr<std::unique_ptr<Lease>> AcquireNow(
      const std::string& directory, const std::string& owner, uint64_t above);
  // Makes `token` the last owner of its directory. REQUIRES: its lock.
  absl::Status RecordOwner(const OwnerToken& token);
  // Who keeps others out of `directory`, for people; `holders` have its lock.
  std::string OwnerOf(const std::string& directory,
                      const std::vector<int>& holders);
  absl::StatusOr<std::unique_ptr<Lease>> ShareNow(const std::string& directory);
  absl::StatusOr<uint64_t> SealNow(const std::string& name,
                                   const OwnerToken& successor)
      ABSL_LOCKS_EXCLUDED(mu_);

  // Runs `mutate` under the token's lease, unless read only.
  absl::Status Mutate(absl::string_view op, absl::string_view name,
                      const OwnerToken& token,
                      absl::FunctionRef<absl::Status()> mutate);
  absl::Status CheckWritable(absl::string_view op,
                             absl::string_view name) const;

  const PosixFileSystemOptions options_;
  PosixDirectories directories_;
  PosixMetaStore metas_;
  LeaseGrants leases_;

  absl::Mutex mu_;  // A leaf.
  // The files that have a writer, for Seal.
  absl::flat_hash_map<std::string, std::weak_ptr<PosixOpenFile>> writing_
      ABSL_GUARDED_BY(mu_);

  TaskGroup tasks_;  // Last, as its tasks use all of the above.
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_POSIX_FILE_SYSTEM_H_
