#ifndef SHALE_FILESYSTEM_MEMORY_FILE_SYSTEM_H_
#define SHALE_FILESYSTEM_MEMORY_FILE_SYSTEM_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/executor.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/lease_grants.h"
#include "shale/filesystem/memory_file.h"
#include "shale/filesystem/memory_space.h"
#include "shale/filesystem/task_group.h"

namespace shale {

// A file system in memory, for tests and benchmarks. It knows what is durable
// and what is only accepted, so that it can crash as a machine does:
//
//   - Bytes that were synced stay; of the others any part may (memory_file.h).
//   - A name or metadata object whose change is not yet durable is as before or
//     as after the change: a file created and never synced, and a Remove, Clone
//     or CommitMeta whose callback has not run yet.
//
// A mutation happens when it is called, and becomes durable just before its
// callback; the bytes of an asynchronous Append are read in between.
// Thread-safe.
class MemoryFileSystem final : public FileSystem {
 public:
  // `executor` must outlive the file system.
  explicit MemoryFileSystem(Executor& executor);

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

  // Turns the contents into what a crash at this moment could leave; one seed
  // draws the same from the same state. Leases end; calls through files, leases
  // and tokens of before, also those still to come, fail as kFenced and change
  // nothing (only a file that was removed while it was open can still be read).
  // No Acquire may be under way.
  void Crash(uint64_t seed) ABSL_LOCKS_EXCLUDED(acquire_mu_, mu_);

  // How many bytes its files may hold together, and space set aside for them
  // counts; at first any. Beyond that an append is kNoSpace, and so is the
  // commit of a metadata object that would have no room, though these take up
  // none.
  void SetCapacity(uint64_t bytes) { space_.SetCapacity(bytes); }
  uint64_t used_bytes() const { return space_.used(); }

  // Takes `directory` from its owner, as a store does whose leases expire: its
  // token is fenced from here on, and the directory free to be acquired.
  void ExpireLease(absl::string_view directory);

 private:
  class Writer;

  // What a name stands for: one of the two, or nothing.
  struct Entry {
    std::shared_ptr<MemoryFile> file;
    std::shared_ptr<const MetaObject> meta;
    bool absent() const { return file == nullptr && meta == nullptr; }
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  using Names = std::map<std::string, Entry, std::less<>>;

  // The calls themselves, without durability.
  absl::StatusOr<std::unique_ptr<AppendFile>> CreateNow(
      absl::string_view name, const OwnerToken& token,
      const CreateOptions& options) ABSL_LOCKS_EXCLUDED(mu_);
  absl::StatusOr<std::unique_ptr<ReadFile>> OpenNow(
      absl::string_view name, std::optional<uint64_t> known_size)
      ABSL_LOCKS_EXCLUDED(mu_);
  absl::Status RemoveNow(absl::string_view name, const OwnerToken& token)
      ABSL_LOCKS_EXCLUDED(mu_);
  absl::Status CloneNow(absl::string_view from, absl::string_view to,
                        const OwnerToken& token) ABSL_LOCKS_EXCLUDED(mu_);
  absl::StatusOr<FileListing> ListNow(absl::string_view prefix,
                                      absl::string_view cursor) const
      ABSL_LOCKS_EXCLUDED(mu_);
  absl::StatusOr<MetaObject> ReadMetaNow(absl::string_view name) const
      ABSL_LOCKS_EXCLUDED(mu_);
  absl::StatusOr<MetaVersion> CommitMetaNow(absl::string_view name,
                                            std::string bytes,
                                            MetaVersion expected,
                                            const OwnerToken& token)
      ABSL_LOCKS_EXCLUDED(mu_);
  absl::StatusOr<std::unique_ptr<Lease>> AcquireNow(absl::string_view directory,
                                                    absl::string_view owner,
                                                    uint64_t above)
      ABSL_LOCKS_EXCLUDED(acquire_mu_);
  absl::StatusOr<std::unique_ptr<Lease>> ShareNow(absl::string_view directory)
      ABSL_LOCKS_EXCLUDED(acquire_mu_);
  absl::StatusOr<uint64_t> SealNow(absl::string_view name,
                                   const OwnerToken& successor)
      ABSL_LOCKS_EXCLUDED(mu_);

  // Has `done` run on the executor with `result`.
  template <typename Result, typename Done>
  void Finish(Result result, Done done);
  // Runs `mutate`, and has `done` run once the change of `name` is durable.
  template <typename Mutate, typename Done>
  void FinishDurably(absl::string_view name, Mutate mutate, Done done);

  // For the writer of `name`: makes the file and its name durable.
  absl::Status SyncFile(const std::string& name, MemoryFile& file)
      ABSL_LOCKS_EXCLUDED(mu_);

  Entry Find(absl::string_view name) const ABSL_SHARED_LOCKS_REQUIRED(mu_);
  uint64_t crashes() const ABSL_LOCKS_EXCLUDED(mu_);
  void MakeNameDurable(const std::string& name)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  Executor& executor_;
  LeaseGrants leases_;
  MemorySpace space_;  // Before the files.

  absl::Mutex acquire_mu_;  // Order: acquire_mu_ -> locks of leases_.
  // The last epoch of each directory.
  absl::flat_hash_map<std::string, uint64_t> epochs_
      ABSL_GUARDED_BY(acquire_mu_);
  // What the shared leases of a directory hold together; expired if there are
  // none.
  absl::flat_hash_map<std::string, std::weak_ptr<const bool>> readers_
      ABSL_GUARDED_BY(acquire_mu_);

  // Order: a lease's lock -> mu_ -> locks of files.
  mutable absl::Mutex mu_;
  Names names_ ABSL_GUARDED_BY(mu_);
  Names durable_names_ ABSL_GUARDED_BY(mu_);
  uint64_t crashes_ ABSL_GUARDED_BY(mu_) = 0;

  TaskGroup tasks_;  // Last, as its tasks use all of the above.
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_MEMORY_FILE_SYSTEM_H_
