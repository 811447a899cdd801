#ifndef SHALE_FILESYSTEM_TESTING_FAULTY_FILE_SYSTEM_H_
#define SHALE_FILESYSTEM_TESTING_FAULTY_FILE_SYSTEM_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "shale/base/executor.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/pending_calls.h"
#include "shale/filesystem/task_group.h"
#include "shale/filesystem/testing/fault_plan.h"

namespace shale {

// Another file system, whose calls fail as the rules of a FaultPlan say:
//
//   MemoryFileSystem memory(executor);
//   FaultyFileSystem files(memory, executor);
//   files.faults().Inject({.op = FileOp::kSync,
//                          .name = "host/wal/*",
//                          .nth = 3,
//                          .fault = {.error_number = EIO}});
//
// The contract holds with faults too: a failed append or sync poisons its file,
// and callbacks come in order. Thread-safe.
class FaultyFileSystem final : public FileSystem {
 public:
  // `base` and its `executor` outlive the file system, and its files and leases
  // go before it. `seed` is for where appends are cut and torn.
  FaultyFileSystem(FileSystem& base, Executor& executor, uint64_t seed = 1);
  // One that can crash.
  FaultyFileSystem(MemoryFileSystem& base, Executor& executor,
                   uint64_t seed = 1);
  ~FaultyFileSystem() override;

  FaultPlan& faults() { return faults_; }

  // MemoryFileSystem::Crash; what was to be applied later has been before it,
  // or never is, and no rule is left. REQUIRES: made over a MemoryFileSystem.
  void Crash(uint64_t seed);

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
  // Has the plan judge a call; `start` makes it of the base.
  template <typename Result>
  void Dispatch(
      FileOp op, absl::string_view name, absl::AnyInvocable<void(Result)> done,
      absl::AnyInvocable<void(absl::AnyInvocable<void(Result)>)> start);

  FileSystem& base_;
  MemoryFileSystem* const memory_;  // The base, if it is one; or null.
  Executor& executor_;
  FaultPlan faults_;
  PendingCalls pending_;
  TaskGroup tasks_;  // Last, as its tasks use all of the above.
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_TESTING_FAULTY_FILE_SYSTEM_H_
