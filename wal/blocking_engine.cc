#include "shale/wal/blocking_engine.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/filesystem/outcome.h"
#include "shale/wal/pending_record.h"

namespace shale {
namespace {

// What one append to a file is made of, unless a single record is larger.
constexpr uint64_t kBatchBytes = 1 << 20;
// So many segments in a row that could not be made or written are too many.
constexpr int kMaxStrikes = 3;
// Between segments that could be written and not synced, from the second on.
constexpr absl::Duration kRetryPause = absl::Milliseconds(1);

}  // namespace

BlockingEngine::BlockingEngine(LogState& log)
    : log_(log),
      source_(log.env.files, log.directory, log.token,
              static_cast<uint64_t>(log.options.segment_bytes)),
      syncers_(std::make_unique<SyncerPool>(log.options.syncer_threads)),
      consumer_([this] { Consume(); }) {}

BlockingEngine::~BlockingEngine() { Stop(); }

void BlockingEngine::Wake() {
  // Whoever set it first is about to let the consumer see it.
  if (work_.exchange(true)) return;
  if (syncs_out_.load() >= log_.options.syncer_threads) return;
  absl::MutexLock lock(&mu_);
}

void BlockingEngine::Roll(RollDone done) {
  const LogPosition appended = log_.buffer.appended();
  {
    absl::MutexLock lock(&mu_);
    if (!stopping_) {
      rolls_.push_back(std::move(done));
      roll_at_ = std::max(roll_at_, appended);
      work_.store(true, std::memory_order_release);
      return;
    }
  }
  const LogHealth health = log_.board.health();
  done(absl::FailedPreconditionError(
      health.state == LogHealth::State::kPoisoned
          ? absl::StrCat("the log is poisoned: ", health.cause.ToString())
          : absl::StrCat("log ", log_.directory, " is closed")));
}

void BlockingEngine::SetPatient(bool patient) {
  absl::MutexLock lock(&mu_);
  patient_ = patient;
}

void BlockingEngine::Abort() {
  Segment current;
  {
    absl::MutexLock lock(&mu_);
    stopping_ = true;
    current = current_;
  }
  const absl::Status poisoned =
      absl::FailedPreconditionError("the log is poisoned");
  if (current != nullptr) current->Fail(poisoned);
  AnswerRolls(poisoned);
}

void BlockingEngine::Finish() {
  Stop();
  Segment last;
  {
    absl::MutexLock lock(&mu_);
    last = current_;
  }
  if (last == nullptr) return;
  last->BeginFinish();
  last->AwaitFinish();
}

void BlockingEngine::Stop() {
  if (!consumer_.joinable()) return;
  {
    absl::MutexLock lock(&mu_);
    stopping_ = true;
  }
  consumer_.join();
  syncers_.reset();
  AnswerRolls(absl::FailedPreconditionError(
      absl::StrCat("log ", log_.directory, " is closed")));
  if (retired_ != nullptr) retired_->AwaitFinish();
}

void BlockingEngine::Consume() {
  while (AwaitWork()) {
    while (Step()) {
    }
  }
}

bool BlockingEngine::AwaitWork() {
  absl::MutexLock lock(&mu_);
  const auto has_work = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return work_.load(std::memory_order_acquire) || stopping_;
  };
  mu_.Await(absl::Condition(&has_work));
  work_.exchange(false, std::memory_order_acq_rel);
  return !stopping_;
}

bool BlockingEngine::Step() {
  Segment segment;
  {
    absl::MutexLock lock(&mu_);
    if (stopping_) return false;
    segment = current_;
  }
  if (segment == nullptr || !segment->failure().ok()) return Replace(segment);
  if (RollIsDue(*segment)) return RollOver(segment);
  const uint64_t segment_bytes =
      static_cast<uint64_t>(log_.options.segment_bytes);
  const uint64_t room =
      segment_bytes - std::min(segment_bytes, segment->record_bytes());
  const std::vector<PendingRecord*> records =
      log_.buffer.Take(std::min(room, kBatchBytes));
  if (!records.empty()) {
    if (!segment->Write(records)) {
      ++strikes_;
      return true;
    }
    strikes_ = 0;
  }
  HandSync(segment,
           /*forced=*/log_.board.health().state == LogHealth::State::kStalled);
  return !records.empty();
}

void BlockingEngine::HandSync(const Segment& segment, bool forced) {
  const std::optional<ActiveSegment::SyncTask> task = segment->NextSync(forced);
  if (!task.has_value()) return;
  syncs_out_.fetch_add(1);
  syncers_->Hand([this, segment, task = *task] {
    if (!segment->RunSync(task)) work_.store(true);
    syncs_out_.fetch_sub(1);
    if (!work_.load()) return;
    absl::MutexLock lock(&mu_);  // Wakes the consumer.
  });
}

bool BlockingEngine::RollIsDue(const ActiveSegment& segment) {
  {
    absl::MutexLock lock(&mu_);
    if (!rolls_.empty() && segment.end() >= roll_at_) return true;
  }
  return segment.record_bytes() >=
             static_cast<uint64_t>(log_.options.segment_bytes) &&
         log_.env.clock.Monotonic() >= roll_not_before_;
}

bool BlockingEngine::RollOver(const Segment& segment) {
  if (segment->record_bytes() == 0) {
    AnswerRolls(absl::OkStatus());
    return true;
  }
  // A successor names the length of this one, so all of it must be durable.
  HandSync(segment, /*forced=*/true);
  segment->AwaitSyncs();
  if (!segment->failure().ok()) return true;
  if (log_.board.durable(SyncLevel::kData) != segment->end()) {
    // The log was ended while the sync was out, so that it counts no more. What
    // stops the consumer, Abort(), comes next.
    SHALE_CHECK(log_.board.health().state == LogHealth::State::kPoisoned);
    return false;
  }

  absl::StatusOr<Segment> next = Begin();
  if (!next.ok()) {
    roll_not_before_ = log_.env.clock.Monotonic() + log_.options.stall_retry;
    log_.env.log.Log(
        Severity::kWarning, "wal",
        absl::StrCat(segment->name(), " grows beyond its size, as no segment ",
                     "could be begun after it: ", next.status().ToString()));
    AnswerRolls(next.status());
    return true;
  }
  if (retired_ != nullptr) retired_->AwaitFinish();
  retired_ = segment;
  retired_->BeginFinish();
  log_.metrics.rolls.Increment();
  Install(*std::move(next));
  return true;
}

bool BlockingEngine::Replace(const Segment& failed) {
  absl::Status cause;
  if (failed != nullptr) {
    cause = failed->failure();
    log_.metrics.failures.Increment();
    log_.env.log.Log(Severity::kWarning, "wal",
                     absl::StrCat(failed->name(), " is given up at @",
                                  log_.board.durable(SyncLevel::kData).value,
                                  ", what follows goes to the next segment: ",
                                  cause.ToString()));
    if (strikes_ == 0) ++failed_syncs_;
    if (!failed->joined()) failed->Abandon();
  }
  while (cause.ok() || Endure(cause)) {
    absl::StatusOr<Segment> next = Begin();
    if (next.ok()) {
      log_.buffer.Rewind(log_.board.durable(SyncLevel::kData));
      Install(*std::move(next));
      return true;
    }
    ++strikes_;
    cause = next.status();
  }
  return false;
}

absl::StatusOr<BlockingEngine::Segment> BlockingEngine::Begin() {
  absl::StatusOr<SegmentSource::Fresh> fresh = source_.Take();
  if (!fresh.ok()) return fresh.status();
  const SegmentHeader header = log_.segments.NextHeader(
      fresh->counter, log_.board.durable(SyncLevel::kData),
      log_.env.clock.Now());
  auto segment = std::make_shared<ActiveSegment>(
      log_, std::move(fresh->name), header, std::move(fresh->file));
  if (!segment->WriteHeader()) {
    segment->Abandon();
    return segment->failure();
  }
  return segment;
}

void BlockingEngine::Install(Segment segment) {
  {
    absl::MutexLock lock(&mu_);
    current_ = std::move(segment);
    // Abort() may have come before it could see this one.
    if (stopping_) current_->Fail(absl::CancelledError("the log has ended"));
  }
  source_.Prepare();
  AnswerRolls(absl::OkStatus());
}

bool BlockingEngine::Endure(const absl::Status& cause) {
  const LogPosition durable = log_.board.durable(SyncLevel::kData);
  if (durable > failed_at_) {
    first_cause_ = absl::OkStatus();
    failed_at_ = durable;
    failed_syncs_ = std::min(failed_syncs_, 1);
  }
  if (first_cause_.ok()) first_cause_ = cause;
  switch (OutcomeOf(cause)) {
    case FileOutcome::kFenced:
      log_.Poison(cause);
      return false;
    case FileOutcome::kNoSpace:
    case FileOutcome::kUnavailable:
      strikes_ = 0;
      return Stall(cause);
    default:
      if (strikes_ >= kMaxStrikes) {
        log_.Poison(first_cause_);
        return false;
      }
      return failed_syncs_ <= 1 || Pause(kRetryPause, /*while_patient=*/false);
  }
}

bool BlockingEngine::Stall(const absl::Status& cause) {
  bool patient;
  {
    absl::MutexLock lock(&mu_);
    patient = patient_;
  }
  if (!patient) {
    log_.Poison(cause);
    return false;
  }
  if (log_.board.health().state != LogHealth::State::kStalled) {
    log_.env.log.Log(
        Severity::kWarning, "wal",
        absl::StrCat("log ", log_.directory,
                     " is stalled until there is space: ", cause.ToString()));
    log_.board.SetHealth(LogHealth::State::kStalled, cause);
    log_.board.Deliver();
  }
  return Pause(log_.options.stall_retry, /*while_patient=*/true);
}

bool BlockingEngine::Pause(absl::Duration time, bool while_patient) {
  absl::MutexLock lock(&mu_);
  const auto is_over = [this, while_patient]()
                           ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
                             return stopping_ || (while_patient && !patient_);
                           };
  log_.env.clock.AwaitUntil(mu_, absl::Condition(&is_over),
                            log_.env.clock.Monotonic() + time);
  return !stopping_;
}

void BlockingEngine::AnswerRolls(const absl::Status& status) {
  std::vector<RollDone> rolls;
  {
    absl::MutexLock lock(&mu_);
    rolls.swap(rolls_);
  }
  for (RollDone& done : rolls) done(status);
}

}  // namespace shale
