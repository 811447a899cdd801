#include "shale/filesystem/pipelined_append_file.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/status_macros.h"
#include "shale/filesystem/callback_order.h"
#include "shale/filesystem/outcome.h"
#include "shale/filesystem/task_group.h"

namespace shale {

class PipelinedAppendFile::Pipeline
    : public std::enable_shared_from_this<Pipeline> {
 public:
  enum class Kind { kAppend, kSync, kFinish };

  // The result of every call: the bytes that it covers.
  using Done = AppendCallback;

  Pipeline(Executor& executor, std::string name,
           std::unique_ptr<BlockingFile> file)
      : name_(std::move(name)), file_(std::move(file)), tasks_(executor) {}

  void Call(Kind kind, absl::string_view bytes, SyncMode mode, Done done)
      ABSL_LOCKS_EXCLUDED(mu_);
  absl::StatusOr<uint64_t> AppendNow(absl::string_view bytes)
      ABSL_LOCKS_EXCLUDED(mu_);
  absl::StatusOr<uint64_t> SyncNow(SyncMode mode) ABSL_LOCKS_EXCLUDED(mu_);
  void Abandon() ABSL_LOCKS_EXCLUDED(mu_);
  uint64_t accepted() const ABSL_LOCKS_EXCLUDED(mu_);
  uint64_t durable() const ABSL_LOCKS_EXCLUDED(mu_);

  // Waits for all calls, and closes the file.
  void Close() ABSL_LOCKS_EXCLUDED(mu_);

 private:
  struct WaitingCall {
    Kind kind;
    uint64_t place;
    absl::string_view bytes;
    SyncMode mode;
    Done done;
  };

  // The lane's holder alone calls Write and Finish of the file.
  void ScheduleLane() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void RunLane() ABSL_LOCKS_EXCLUDED(mu_);
  void TakeLane() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void LeaveLane() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  // By the lane's holder; they release mu_ during the I/O. RunWaiting makes the
  // callbacks of what waits now ready, RunWaitingNow has them run as well.
  void RunWaiting() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void RunWaitingNow() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::StatusOr<uint64_t> Write(uint64_t place, absl::string_view bytes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::StatusOr<uint64_t> Finish(uint64_t place)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  void StartSync(WaitingCall call) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::StatusOr<uint64_t> Sync(uint64_t place, SyncMode mode)
      ABSL_LOCKS_EXCLUDED(mu_);

  // Whether a call at `place` may reach the file. If not for an earlier
  // failure, it counts as failed from this place on.
  absl::Status CheckNotFailed(uint64_t place)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status CheckOpen(uint64_t place) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Fail(uint64_t place, absl::Status cause)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // What a call reports that ended with `result`.
  absl::StatusOr<uint64_t> Verdict(uint64_t place,
                                   absl::StatusOr<uint64_t> result) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void PutCallback(uint64_t place, absl::StatusOr<uint64_t> result, Done done);

  const std::string name_;
  std::unique_ptr<BlockingFile> file_;
  CallbackOrder callbacks_;

  mutable absl::Mutex mu_;  // Order: mu_ -> locks of callbacks_ and tasks_.
  std::deque<WaitingCall> waiting_ ABSL_GUARDED_BY(mu_);
  bool lane_taken_ ABSL_GUARDED_BY(mu_) = false;
  bool lane_scheduled_ ABSL_GUARDED_BY(mu_) = false;
  uint64_t accepted_ ABSL_GUARDED_BY(mu_) = 0;
  uint64_t durable_ ABSL_GUARDED_BY(mu_) = 0;
  bool finished_ ABSL_GUARDED_BY(mu_) = false;
  // The first cause, and the place from which on all calls fail with it; calls
  // at earlier places may still end well.
  absl::Status failure_ ABSL_GUARDED_BY(mu_);
  uint64_t failed_place_ ABSL_GUARDED_BY(mu_) = 0;

  TaskGroup tasks_;  // Last, as its tasks use all of the above.
};

void PipelinedAppendFile::Pipeline::Call(Kind kind, absl::string_view bytes,
                                         SyncMode mode, Done done) {
  absl::MutexLock lock(&mu_);
  WaitingCall call{kind, callbacks_.Reserve(), bytes, mode, std::move(done)};
  if (kind == Kind::kSync && waiting_.empty() && !lane_taken_) {
    StartSync(std::move(call));
    return;
  }
  waiting_.push_back(std::move(call));
  ScheduleLane();
}

void PipelinedAppendFile::Pipeline::ScheduleLane() {
  if (lane_taken_ || lane_scheduled_) return;
  lane_scheduled_ = true;
  tasks_.Run([self = shared_from_this()] { self->RunLane(); });
}

void PipelinedAppendFile::Pipeline::RunLane() {
  {
    absl::MutexLock lock(&mu_);
    lane_scheduled_ = false;
    TakeLane();
    RunWaiting();
    LeaveLane();
  }
  callbacks_.RunReady();
}

void PipelinedAppendFile::Pipeline::TakeLane() {
  const auto free = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return !lane_taken_;
  };
  mu_.Await(absl::Condition(&free));
  lane_taken_ = true;
}

void PipelinedAppendFile::Pipeline::LeaveLane() {
  lane_taken_ = false;
  if (!waiting_.empty()) ScheduleLane();
}

void PipelinedAppendFile::Pipeline::RunWaiting() {
  for (size_t left = waiting_.size(); left > 0; --left) {
    WaitingCall call = std::move(waiting_.front());
    waiting_.pop_front();
    if (call.kind == Kind::kSync) {
      StartSync(std::move(call));
      continue;
    }
    absl::StatusOr<uint64_t> result = call.kind == Kind::kAppend
                                          ? Write(call.place, call.bytes)
                                          : Finish(call.place);
    PutCallback(call.place, std::move(result), std::move(call.done));
  }
}

absl::StatusOr<uint64_t> PipelinedAppendFile::Pipeline::Write(
    uint64_t place, absl::string_view bytes) {
  SHALE_RETURN_IF_ERROR(CheckOpen(place));
  const uint64_t offset = accepted_;
  mu_.Unlock();
  absl::Status written = file_->Write(offset, bytes);
  mu_.Lock();
  if (!written.ok()) {
    Fail(place, written);
    return written;
  }
  accepted_ = offset + bytes.size();
  return accepted_;
}

absl::StatusOr<uint64_t> PipelinedAppendFile::Pipeline::Finish(uint64_t place) {
  SHALE_RETURN_IF_ERROR(CheckOpen(place));
  mu_.Unlock();
  absl::Status finished = file_->Finish();
  mu_.Lock();
  if (!finished.ok()) {
    Fail(place, finished);
    return finished;
  }
  finished_ = true;
  durable_ = accepted_;
  return durable_;
}

void PipelinedAppendFile::Pipeline::StartSync(WaitingCall call) {
  tasks_.Run([self = shared_from_this(), call = std::move(call)]() mutable {
    absl::StatusOr<uint64_t> result = self->Sync(call.place, call.mode);
    self->PutCallback(call.place, std::move(result), std::move(call.done));
    self->callbacks_.RunReady();
  });
}

absl::StatusOr<uint64_t> PipelinedAppendFile::Pipeline::Sync(uint64_t place,
                                                             SyncMode mode) {
  uint64_t covered;
  {
    absl::MutexLock lock(&mu_);
    SHALE_RETURN_IF_ERROR(CheckNotFailed(place));
    covered = accepted_;
  }
  absl::Status synced = file_->Sync(mode);
  absl::MutexLock lock(&mu_);
  if (!synced.ok()) {
    Fail(place, synced);
    return synced;
  }
  absl::StatusOr<uint64_t> verdict = Verdict(place, covered);
  if (verdict.ok()) durable_ = std::max(durable_, covered);
  return verdict;
}

absl::StatusOr<uint64_t> PipelinedAppendFile::Pipeline::AppendNow(
    absl::string_view bytes) {
  absl::MutexLock lock(&mu_);
  TakeLane();
  RunWaitingNow();
  const uint64_t place = callbacks_.reserved();
  absl::StatusOr<uint64_t> size = Verdict(place, Write(place, bytes));
  LeaveLane();
  return size;
}

absl::StatusOr<uint64_t> PipelinedAppendFile::Pipeline::SyncNow(SyncMode mode) {
  uint64_t place;
  {
    absl::MutexLock lock(&mu_);
    if (lane_taken_ || !waiting_.empty()) {
      TakeLane();
      RunWaitingNow();
      LeaveLane();
    }
    place = callbacks_.reserved();
  }
  return Sync(place, mode);
}

void PipelinedAppendFile::Pipeline::RunWaitingNow() {
  if (waiting_.empty()) return;
  RunWaiting();
  // This thread is in a call of the user's, where no callback may run.
  tasks_.Run([self = shared_from_this()] { self->callbacks_.RunReady(); });
}

absl::Status PipelinedAppendFile::Pipeline::CheckNotFailed(uint64_t place) {
  if (!failure_.ok()) failed_place_ = std::min(failed_place_, place);
  return failure_;
}

absl::Status PipelinedAppendFile::Pipeline::CheckOpen(uint64_t place) {
  SHALE_RETURN_IF_ERROR(CheckNotFailed(place));
  if (!finished_) return absl::OkStatus();
  return FileError(FileOutcome::kConflict, "append to", name_,
                   "the file is finished");
}

void PipelinedAppendFile::Pipeline::Fail(uint64_t place, absl::Status cause) {
  if (!failure_.ok() && failed_place_ <= place) return;
  failure_ = std::move(cause);
  failed_place_ = place;
}

absl::StatusOr<uint64_t> PipelinedAppendFile::Pipeline::Verdict(
    uint64_t place, absl::StatusOr<uint64_t> result) const {
  if (!failure_.ok() && failed_place_ <= place) return failure_;
  return result;
}

void PipelinedAppendFile::Pipeline::PutCallback(uint64_t place,
                                                absl::StatusOr<uint64_t> result,
                                                Done done) {
  callbacks_.Put(place,
                 [self = shared_from_this(), place, result = std::move(result),
                  done = std::move(done)]() mutable {
                   {
                     absl::MutexLock lock(&self->mu_);
                     result = self->Verdict(place, std::move(result));
                   }
                   done(std::move(result));
                 });
}

void PipelinedAppendFile::Pipeline::Abandon() {
  {
    absl::MutexLock lock(&mu_);
    if (finished_) return;
    Fail(callbacks_.reserved(), FileError(FileOutcome::kConflict, "append to",
                                          name_, "the file was abandoned"));
  }
  file_->Remove();
}

uint64_t PipelinedAppendFile::Pipeline::accepted() const {
  absl::MutexLock lock(&mu_);
  return accepted_;
}

uint64_t PipelinedAppendFile::Pipeline::durable() const {
  absl::MutexLock lock(&mu_);
  return durable_;
}

void PipelinedAppendFile::Pipeline::Close() {
  tasks_.Join();
  callbacks_.Join();
  file_.reset();
}

PipelinedAppendFile::PipelinedAppendFile(Executor& executor, std::string name,
                                         std::unique_ptr<BlockingFile> file)
    : pipeline_(std::make_shared<Pipeline>(executor, std::move(name),
                                           std::move(file))) {}

PipelinedAppendFile::~PipelinedAppendFile() { pipeline_->Close(); }

void PipelinedAppendFile::Append(absl::string_view bytes, AppendCallback done) {
  pipeline_->Call(Pipeline::Kind::kAppend, bytes, SyncMode::kData,
                  std::move(done));
}

void PipelinedAppendFile::Sync(SyncMode mode, StatusCallback done) {
  pipeline_->Call(
      Pipeline::Kind::kSync, {}, mode,
      [done = std::move(done)](absl::StatusOr<uint64_t> covered) mutable {
        done(covered.status());
      });
}

absl::StatusOr<uint64_t> PipelinedAppendFile::AppendNow(
    absl::string_view bytes) {
  return pipeline_->AppendNow(bytes);
}

absl::Status PipelinedAppendFile::SyncNow(SyncMode mode) {
  return pipeline_->SyncNow(mode).status();
}

uint64_t PipelinedAppendFile::accepted() const { return pipeline_->accepted(); }
uint64_t PipelinedAppendFile::durable() const { return pipeline_->durable(); }

void PipelinedAppendFile::Finish(StatusCallback done) {
  pipeline_->Call(
      Pipeline::Kind::kFinish, {}, SyncMode::kFull,
      [done = std::move(done)](absl::StatusOr<uint64_t> size) mutable {
        done(size.status());
      });
}

void PipelinedAppendFile::Abandon() { pipeline_->Abandon(); }

}  // namespace shale
