#include "shale/filesystem/testing/faulty_append_file.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "shale/base/random.h"
#include "shale/filesystem/callback_order.h"
#include "shale/filesystem/outcome.h"
#include "shale/filesystem/task_group.h"

namespace shale {
namespace {

constexpr size_t kSectorBytes = 512;

// What reaches the file of an append that fails.
std::string PartOf(absl::string_view bytes,
                   const FaultPlan::Decision& decision) {
  Random random(decision.seed);
  std::string part(bytes);
  if (decision.fault->effect == Fault::Effect::kShort) {
    part.resize(random.Uniform(part.size() + 1));
  } else if (decision.fault->effect == Fault::Effect::kTorn) {
    for (size_t start = 0; start < part.size(); start += kSectorBytes) {
      if (random.OneIn(2)) continue;
      std::fill(part.begin() + start,
                part.begin() + std::min(start + kSectorBytes, part.size()),
                '\0');
    }
  }
  return part;
}

// Whether anything of the call happens before it fails.
bool IsApplied(FileOp op, const Fault& fault) {
  switch (fault.effect) {
    case Fault::Effect::kApplied:
      return true;
    case Fault::Effect::kShort:
    case Fault::Effect::kTorn:
      return op == FileOp::kAppend;
    default:
      return false;
  }
}

}  // namespace

class FaultyAppendFile::Calls : public std::enable_shared_from_this<Calls> {
 public:
  // The result of every call: the bytes that it covers.
  using Done = AppendCallback;
  struct Call {
    FileOp op = FileOp::kAppend;
    absl::string_view bytes = {};     // Of an append.
    SyncMode mode = SyncMode::kData;  // Of a sync.
    Done done = nullptr;
    uint64_t place = 0;
    // If not OK, the result whatever the base says.
    absl::Status error = absl::OkStatus();
    std::unique_ptr<std::string> part = nullptr;  // Holds `bytes`, if changed.
  };

  Calls(FaultPlan& plan, Executor& executor, std::string name,
        std::unique_ptr<AppendFile> base)
      : plan_(plan),
        name_(std::move(name)),
        base_(std::move(base)),
        tasks_(executor) {}

  void Start(Call call) ABSL_LOCKS_EXCLUDED(mu_);
  absl::StatusOr<uint64_t> RunNow(FileOp op, absl::string_view bytes,
                                  SyncMode mode) ABSL_LOCKS_EXCLUDED(mu_);
  void Abandon() ABSL_LOCKS_EXCLUDED(mu_);
  uint64_t accepted() const ABSL_LOCKS_EXCLUDED(mu_);
  uint64_t durable() const ABSL_LOCKS_EXCLUDED(mu_);

  // Lets go on what is held, waits for all calls, and closes the base.
  void Close() ABSL_LOCKS_EXCLUDED(mu_);

 private:
  // The steps of a call. Judge says false if it holds up those behind it.
  bool Judge(Call call) ABSL_LOCKS_EXCLUDED(mu_);
  void PassOn(Call call) ABSL_LOCKS_EXCLUDED(mu_);
  void Deliver(Call call, absl::StatusOr<uint64_t> result);
  void RunBehind() ABSL_LOCKS_EXCLUDED(mu_);

  FaultPlan::Decision Decide(FileOp op, absl::string_view bytes, SyncMode mode)
      ABSL_LOCKS_EXCLUDED(mu_);
  absl::StatusOr<uint64_t> PassOnNow(FileOp op, absl::string_view bytes,
                                     SyncMode mode) ABSL_LOCKS_EXCLUDED(mu_);
  void DoLater(const FaultPlan::Decision& decision, FileOp op,
               absl::string_view bytes, SyncMode mode) ABSL_LOCKS_EXCLUDED(mu_);
  // Notes a success.
  void Settle(FileOp op, const absl::StatusOr<uint64_t>& result)
      ABSL_LOCKS_EXCLUDED(mu_);
  std::shared_ptr<AppendFile> base() const ABSL_LOCKS_EXCLUDED(mu_);

  FaultPlan& plan_;
  const std::string name_;
  CallbackOrder order_;

  mutable absl::Mutex mu_;  // Order: mu_ -> the base's locks.
  std::shared_ptr<AppendFile> base_ ABSL_GUARDED_BY(mu_);  // Null once closed.
  absl::Status failure_ ABSL_GUARDED_BY(mu_);
  uint64_t accepted_ ABSL_GUARDED_BY(mu_) = 0;
  uint64_t durable_ ABSL_GUARDED_BY(mu_) = 0;
  bool holding_ ABSL_GUARDED_BY(mu_) = false;  // Calls wait behind a held one.
  std::deque<Call> behind_ ABSL_GUARDED_BY(mu_);
  bool closing_ ABSL_GUARDED_BY(mu_) = false;

  TaskGroup tasks_;  // Last, as its tasks use all of the above.
};

void FaultyAppendFile::Calls::Start(Call call) {
  call.place = order_.Reserve();
  {
    absl::MutexLock lock(&mu_);
    if (holding_) {
      behind_.push_back(std::move(call));
      return;
    }
  }
  Judge(std::move(call));
}

FaultPlan::Decision FaultyAppendFile::Calls::Decide(FileOp op,
                                                    absl::string_view bytes,
                                                    SyncMode mode) {
  {
    absl::MutexLock lock(&mu_);
    if (!failure_.ok()) return {Fault(), failure_, 0};
  }
  FaultPlan::Decision decision = plan_.Decide(op, name_, bytes.size(), mode);
  absl::MutexLock lock(&mu_);
  if (!decision.error.ok()) failure_ = decision.error;
  if (closing_ && decision.error.ok()) decision.fault.reset();
  return decision;
}

bool FaultyAppendFile::Calls::Judge(Call call) {
  const FaultPlan::Decision decision = Decide(call.op, call.bytes, call.mode);
  call.error = decision.error;
  if (!decision.fault.has_value()) {
    PassOn(std::move(call));
    return true;
  }
  if (decision.fault->effect == Fault::Effect::kHeld) {
    const bool holds_others = call.op != FileOp::kSync;
    if (holds_others) {
      absl::MutexLock lock(&mu_);
      holding_ = true;
    }
    auto go_on = [self = shared_from_this(), holds_others,
                  call = std::move(call)]() mutable {
      self->PassOn(std::move(call));
      if (holds_others) self->RunBehind();
    };
    plan_.Hold(decision, this, std::move(go_on));
    return !holds_others;
  }
  if (IsApplied(call.op, *decision.fault)) {
    call.part = std::make_unique<std::string>(PartOf(call.bytes, decision));
    call.bytes = *call.part;
    PassOn(std::move(call));
    return true;
  }
  if (decision.fault->effect == Fault::Effect::kAppliedLater) {
    DoLater(decision, call.op, call.bytes, call.mode);
  }
  // Not in this thread, which is in a call of the user's.
  tasks_.Run([self = shared_from_this(), call = std::move(call)]() mutable {
    self->Deliver(std::move(call), 0);  // It has its error.
  });
  return true;
}

void FaultyAppendFile::Calls::RunBehind() {
  while (true) {
    Call call;
    {
      absl::MutexLock lock(&mu_);
      if (behind_.empty()) {
        holding_ = false;
        return;
      }
      call = std::move(behind_.front());
      behind_.pop_front();
    }
    if (!Judge(std::move(call))) return;
  }
}

void FaultyAppendFile::Calls::PassOn(Call call) {
  const std::shared_ptr<AppendFile> base = this->base();
  if (base == nullptr) {
    Deliver(std::move(call), FileError(FileOutcome::kUnavailable, "use", name_,
                                       "the file is closed"));
    return;
  }
  const FileOp op = call.op;
  const absl::string_view bytes = call.bytes;
  const SyncMode mode = call.mode;
  auto ended = [self = shared_from_this(), call = std::move(call)](
                   absl::StatusOr<uint64_t> result) mutable {
    self->Deliver(std::move(call), std::move(result));
  };
  if (op == FileOp::kAppend) {
    base->Append(bytes, std::move(ended));
    return;
  }
  auto synced = [ended = std::move(ended)](absl::Status status) mutable {
    ended(status.ok() ? absl::StatusOr<uint64_t>(0) : status);
  };
  if (op == FileOp::kSync) {
    base->Sync(mode, std::move(synced));
  } else {
    base->Finish(std::move(synced));
  }
}

void FaultyAppendFile::Calls::Deliver(Call call,
                                      absl::StatusOr<uint64_t> result) {
  if (!call.error.ok()) result = call.error;
  const uint64_t place = call.place;
  order_.Put(place, [self = shared_from_this(), call = std::move(call),
                     result = std::move(result)]() mutable {
    self->Settle(call.op, result);
    call.done(std::move(result));
  });
  order_.RunReady();
}

void FaultyAppendFile::Calls::Settle(FileOp op,
                                     const absl::StatusOr<uint64_t>& result) {
  if (!result.ok()) return;
  absl::MutexLock lock(&mu_);
  if (op == FileOp::kAppend) {
    accepted_ = std::max(accepted_, *result);
  } else if (base_ != nullptr) {
    durable_ = std::max(durable_, std::min(accepted_, base_->durable()));
  }
}

void FaultyAppendFile::Calls::DoLater(const FaultPlan::Decision& decision,
                                      FileOp op, absl::string_view bytes,
                                      SyncMode mode) {
  auto act = [op, bytes = std::string(bytes), mode,
              weak_base = std::weak_ptr<AppendFile>(base())] {
    const std::shared_ptr<AppendFile> base = weak_base.lock();
    if (base == nullptr) return;  // The writer is gone, and its calls with it.
    if (op == FileOp::kAppend) {
      base->AppendNow(bytes).IgnoreError();  // Whether it still can is open.
    } else {
      base->SyncNow(mode).IgnoreError();
    }
  };
  plan_.Hold(decision, nullptr, std::move(act));
}

absl::StatusOr<uint64_t> FaultyAppendFile::Calls::RunNow(
    FileOp op, absl::string_view bytes, SyncMode mode) {
  {
    absl::MutexLock lock(&mu_);
    const auto free = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
      return !holding_;
    };
    mu_.Await(absl::Condition(&free));
  }
  const FaultPlan::Decision decision = Decide(op, bytes, mode);
  if (!decision.fault.has_value()) return PassOnNow(op, bytes, mode);
  if (decision.fault->effect == Fault::Effect::kHeld) {
    absl::Notification released;
    plan_.Hold(decision, this, [&released] { released.Notify(); });
    released.WaitForNotification();
    return PassOnNow(op, bytes, mode);
  }
  if (IsApplied(op, *decision.fault)) {
    const std::string part = PartOf(bytes, decision);
    if (op == FileOp::kAppend) {
      base()->AppendNow(part).IgnoreError();  // It fails in any case.
    } else {
      base()->SyncNow(mode).IgnoreError();
    }
  } else if (decision.fault->effect == Fault::Effect::kAppliedLater) {
    DoLater(decision, op, bytes, mode);
  }
  return decision.error;
}

absl::StatusOr<uint64_t> FaultyAppendFile::Calls::PassOnNow(
    FileOp op, absl::string_view bytes, SyncMode mode) {
  absl::StatusOr<uint64_t> result;
  if (op == FileOp::kAppend) {
    result = base()->AppendNow(bytes);
  } else if (absl::Status synced = base()->SyncNow(mode); synced.ok()) {
    result = 0;
  } else {
    result = std::move(synced);
  }
  Settle(op, result);
  return result;
}

std::shared_ptr<AppendFile> FaultyAppendFile::Calls::base() const {
  absl::MutexLock lock(&mu_);
  return base_;
}

void FaultyAppendFile::Calls::Abandon() { base()->Abandon(); }

uint64_t FaultyAppendFile::Calls::accepted() const {
  absl::MutexLock lock(&mu_);
  return accepted_;
}

uint64_t FaultyAppendFile::Calls::durable() const {
  absl::MutexLock lock(&mu_);
  return durable_;
}

void FaultyAppendFile::Calls::Close() {
  {
    absl::MutexLock lock(&mu_);
    closing_ = true;
  }
  plan_.ReleaseOwner(this);
  std::shared_ptr<AppendFile> base = this->base();
  {
    absl::MutexLock lock(&mu_);
    base_ = nullptr;
  }
  base = nullptr;  // Waits for the base's callbacks.
  tasks_.Join();
  order_.Join();
}

FaultyAppendFile::FaultyAppendFile(FaultPlan& plan, Executor& executor,
                                   std::string name,
                                   std::unique_ptr<AppendFile> base)
    : calls_(std::make_shared<Calls>(plan, executor, std::move(name),
                                     std::move(base))) {}

FaultyAppendFile::~FaultyAppendFile() { calls_->Close(); }

void FaultyAppendFile::Append(absl::string_view bytes, AppendCallback done) {
  calls_->Start(
      {.op = FileOp::kAppend, .bytes = bytes, .done = std::move(done)});
}

void FaultyAppendFile::Sync(SyncMode mode, StatusCallback done) {
  calls_->Start({.op = FileOp::kSync,
                 .mode = mode,
                 .done = [done = std::move(done)](
                             absl::StatusOr<uint64_t> result) mutable {
                   done(result.status());
                 }});
}

absl::StatusOr<uint64_t> FaultyAppendFile::AppendNow(absl::string_view bytes) {
  return calls_->RunNow(FileOp::kAppend, bytes, SyncMode::kData);
}

absl::Status FaultyAppendFile::SyncNow(SyncMode mode) {
  return calls_->RunNow(FileOp::kSync, {}, mode).status();
}

uint64_t FaultyAppendFile::accepted() const { return calls_->accepted(); }
uint64_t FaultyAppendFile::durable() const { return calls_->durable(); }

void FaultyAppendFile::Finish(StatusCallback done) {
  calls_->Start({.op = FileOp::kFinish,
                 .done = [done = std::move(done)](
                             absl::StatusOr<uint64_t> result) mutable {
                   done(result.status());
                 }});
}

void FaultyAppendFile::Abandon() { calls_->Abandon(); }

}  // namespace shale
