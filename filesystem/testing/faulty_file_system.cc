#include "shale/filesystem/testing/faulty_file_system.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shale/base/check.h"
#include "shale/base/random.h"
#include "shale/filesystem/testing/faulty_append_file.h"
#include "shale/filesystem/testing/faulty_read_file.h"

namespace shale {

FaultyFileSystem::FaultyFileSystem(FileSystem& base, Executor& executor,
                                   uint64_t seed)
    : base_(base),
      memory_(nullptr),
      executor_(executor),
      faults_(seed),
      tasks_(executor) {}

FaultyFileSystem::FaultyFileSystem(MemoryFileSystem& base, Executor& executor,
                                   uint64_t seed)
    : base_(base),
      memory_(&base),
      executor_(executor),
      faults_(seed),
      tasks_(executor) {}

FaultyFileSystem::~FaultyFileSystem() { faults_.ReleaseOwner(this); }

void FaultyFileSystem::Crash(uint64_t seed) {
  SHALE_CHECK(memory_ != nullptr) << "only a file system in memory can crash";
  Random random(seed);
  faults_.WithdrawAll();
  faults_.SettleLater(random);
  memory_->Crash(random.Next());
  faults_.Release();
}

template <typename Result>
void FaultyFileSystem::Dispatch(
    FileOp op, absl::string_view name, absl::AnyInvocable<void(Result)> done,
    absl::AnyInvocable<void(absl::AnyInvocable<void(Result)>)> start) {
  FaultPlan::Decision decision = faults_.Decide(op, name);
  if (!decision.fault.has_value()) {
    start(pending_.Counted(std::move(done)));
    return;
  }
  if (decision.fault->effect == Fault::Effect::kHeld) {
    faults_.Hold(
        decision, this,
        [this, start = std::move(start), done = std::move(done)]() mutable {
          start(pending_.Counted(std::move(done)));
        });
    return;
  }
  auto fail = [error = decision.error, done = std::move(done)]() mutable {
    done(error);
  };
  switch (decision.fault->effect) {
    case Fault::Effect::kApplied:
      start(pending_.Counted([fail = std::move(fail)](Result result) mutable {
        // What was got is lost before the caller hears of it: a lease, say, is
        // given back, and the caller may ask for it again.
        { const Result lost = std::move(result); }
        fail();
      }));
      return;
    case Fault::Effect::kAppliedLater:
      faults_.Hold(decision, nullptr,
                   [this, start = std::move(start)]() mutable {
                     start(pending_.Counted([](Result /*unheard*/) {}));
                   });
      break;
    case Fault::Effect::kHeld:
    case Fault::Effect::kNotApplied:
    case Fault::Effect::kShort:
    case Fault::Effect::kTorn:
      break;
  }
  tasks_.Run(std::move(fail));
}

FileSystemCapabilities FaultyFileSystem::capabilities() const {
  return base_.capabilities();
}

void FaultyFileSystem::Create(absl::string_view name, FileKind kind,
                              const OwnerToken& token,
                              const CreateOptions& options,
                              CreateCallback done) {
  using Result = absl::StatusOr<std::unique_ptr<AppendFile>>;
  Dispatch<Result>(
      FileOp::kCreate, name, std::move(done),
      [this, name = std::string(name), kind, token,
       options](CreateCallback done) {
        base_.Create(name, kind, token, options,
                     [this, name, done = std::move(done)](Result file) mutable {
                       if (file.ok()) {
                         file = std::make_unique<FaultyAppendFile>(
                             faults_, executor_, name, *std::move(file));
                       }
                       done(std::move(file));
                     });
      });
}

void FaultyFileSystem::Open(absl::string_view name,
                            std::optional<uint64_t> known_size,
                            OpenCallback done) {
  using Result = absl::StatusOr<std::unique_ptr<ReadFile>>;
  Dispatch<Result>(
      FileOp::kOpen, name, std::move(done),
      [this, name = std::string(name), known_size](OpenCallback done) {
        base_.Open(name, known_size,
                   [this, name, done = std::move(done)](Result file) mutable {
                     if (file.ok()) {
                       file = std::make_unique<FaultyReadFile>(
                           faults_, executor_, name, *std::move(file));
                     }
                     done(std::move(file));
                   });
      });
}

void FaultyFileSystem::Remove(absl::string_view name, const OwnerToken& token,
                              StatusCallback done) {
  Dispatch<absl::Status>(
      FileOp::kRemove, name, std::move(done),
      [this, name = std::string(name), token](StatusCallback done) {
        base_.Remove(name, token, std::move(done));
      });
}

void FaultyFileSystem::Clone(absl::string_view from, absl::string_view to,
                             const OwnerToken& token, StatusCallback done) {
  Dispatch<absl::Status>(FileOp::kClone, to, std::move(done),
                         [this, from = std::string(from), to = std::string(to),
                          token](StatusCallback done) {
                           base_.Clone(from, to, token, std::move(done));
                         });
}

void FaultyFileSystem::List(absl::string_view prefix, absl::string_view cursor,
                            ListCallback done) {
  Dispatch<absl::StatusOr<FileListing>>(
      FileOp::kList, prefix, std::move(done),
      [this, prefix = std::string(prefix), cursor = std::string(cursor)](
          ListCallback done) { base_.List(prefix, cursor, std::move(done)); });
}

void FaultyFileSystem::ReadMeta(absl::string_view name, MetaCallback done) {
  Dispatch<absl::StatusOr<MetaObject>>(
      FileOp::kReadMeta, name, std::move(done),
      [this, name = std::string(name)](MetaCallback done) {
        base_.ReadMeta(name, std::move(done));
      });
}

void FaultyFileSystem::CommitMeta(absl::string_view name, std::string bytes,
                                  MetaVersion expected, const OwnerToken& token,
                                  CommitCallback done) {
  Dispatch<absl::StatusOr<MetaVersion>>(
      FileOp::kCommitMeta, name, std::move(done),
      [this, name = std::string(name), bytes = std::move(bytes), expected,
       token](CommitCallback done) mutable {
        base_.CommitMeta(name, std::move(bytes), expected, token,
                         std::move(done));
      });
}

void FaultyFileSystem::Acquire(absl::string_view directory,
                               absl::string_view owner, uint64_t above,
                               AcquireCallback done) {
  Dispatch<absl::StatusOr<std::unique_ptr<Lease>>>(
      FileOp::kAcquire, directory, std::move(done),
      [this, directory = std::string(directory), owner = std::string(owner),
       above](AcquireCallback done) {
        base_.Acquire(directory, owner, above, std::move(done));
      });
}

void FaultyFileSystem::Share(absl::string_view directory,
                             AcquireCallback done) {
  Dispatch<absl::StatusOr<std::unique_ptr<Lease>>>(
      FileOp::kAcquire, directory, std::move(done),
      [this, directory = std::string(directory)](AcquireCallback done) {
        base_.Share(directory, std::move(done));
      });
}

void FaultyFileSystem::Seal(absl::string_view name, const OwnerToken& successor,
                            SealCallback done) {
  Dispatch<absl::StatusOr<uint64_t>>(
      FileOp::kSeal, name, std::move(done),
      [this, name = std::string(name), successor](SealCallback done) {
        base_.Seal(name, successor, std::move(done));
      });
}

}  // namespace shale
