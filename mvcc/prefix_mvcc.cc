#include "shale/mvcc/prefix_mvcc.h"

#include <utility>

#include "shale/mvcc/futex.h"
#include "shale/mvcc/stuck_write.h"

namespace shale {

PrefixMvcc::PrefixMvcc(const MvccOptions& options, Clock& clock)
    : owner_(options.owner),
      clock_(clock),
      slots_(options.slots, callbacks_),
      pins_(read_point_),
      queue_(owner_, read_point_, slots_, callbacks_) {}

void PrefixMvcc::Reserve(absl::AnyInvocable<void()> granted) {
  slots_.Reserve(std::move(granted));
}

void PrefixMvcc::CancelReservation() {
  slots_.CancelReservation();
  callbacks_.Run();
}

absl::StatusOr<BeginResult> PrefixMvcc::Begin(
    int64_t count,
    absl::FunctionRef<absl::StatusOr<Appended>(WriteRange)> append) {
  absl::MutexLock lock(&mu_);
  return queue_.Begin(count, append, clock_.Monotonic());
}

void PrefixMvcc::MarkInserted(WriteRange range) {
  int64_t advanced;
  {
    absl::MutexLock lock(&mu_);
    queue_.MarkInserted(range);
    advanced = Advance();
  }
  Settle(advanced);
}

void PrefixMvcc::MarkDurable(LogPosition position) {
  int64_t advanced;
  {
    absl::MutexLock lock(&mu_);
    queue_.MarkDurable(position);
    advanced = Advance();
  }
  Settle(advanced);
}

void PrefixMvcc::Complete(WriteRange range) {
  int64_t advanced;
  {
    absl::MutexLock lock(&mu_);
    queue_.Complete(range);
    advanced = Advance();
  }
  Settle(advanced);
}

void PrefixMvcc::OnVisible(WriteRange range, absl::AnyInvocable<void()> done) {
  if (!IsVisible(range.last)) {
    absl::MutexLock lock(&mu_);
    if (!IsVisible(range.last)) {
      queue_.Find(range.last).on_visible.push_back(std::move(done));
      return;
    }
  }
  done();
}

bool PrefixMvcc::WaitVisibleUnless(WriteRange range,
                                   const std::atomic<bool>& given_up) {
  for (bool parked = false;; parked = true) {
    const uint32_t round = round_.load(std::memory_order_acquire);
    if (IsVisible(range.last)) return true;
    if (waits_ended_.load(std::memory_order_relaxed) ||
        given_up.load(std::memory_order_relaxed)) {
      return false;
    }
    if (!parked) waits_.fetch_add(1, std::memory_order_relaxed);
    FutexWait(round_, round);
    wakes_.fetch_add(1, std::memory_order_relaxed);
  }
}

void PrefixMvcc::EndWaits() {
  waits_ended_.store(true, std::memory_order_relaxed);
  WakeAll();
}

void PrefixMvcc::RecheckWaits() { WakeAll(); }

bool PrefixMvcc::WaitBarrierUnless(const std::atomic<bool>& given_up) {
  WriteNumber begun;
  {
    absl::MutexLock lock(&mu_);
    begun = queue_.last_minted();
    if (!IsVisible(begun)) ++barriers_;
  }
  return WaitVisibleUnless({begun, begun}, given_up);
}

void PrefixMvcc::Barrier(absl::AnyInvocable<void()> done) {
  {
    absl::MutexLock lock(&mu_);
    const WriteNumber begun = queue_.last_minted();
    if (!IsVisible(begun)) {
      ++barriers_;
      queue_.Find(begun).on_visible.push_back(std::move(done));
      return;
    }
  }
  done();
}

WriteNumber PrefixMvcc::ReadPoint() const {
  return {read_point_.load(std::memory_order_acquire)};
}

WriteNumber PrefixMvcc::WritePoint() const {
  absl::MutexLock lock(&mu_);
  return queue_.last_minted();
}

absl::Status PrefixMvcc::AdvanceTo(WriteNumber number) {
  absl::MutexLock lock(&mu_);
  return queue_.AdvanceTo(number);
}

std::vector<std::string> PrefixMvcc::StuckWrites(absl::Duration age) const {
  std::vector<StuckWrite> stuck;
  LogPosition durable;
  {
    absl::MutexLock lock(&mu_);
    stuck = queue_.Stuck(age, clock_.Monotonic());
    durable = queue_.durable();
  }
  return DescribeStuckWrites(owner_, stuck, durable);
}

MvccStats PrefixMvcc::stats() const {
  absl::MutexLock lock(&mu_);
  return {.waits = waits_.load(std::memory_order_relaxed),
          .wakes = wakes_.load(std::memory_order_relaxed),
          .advances = queue_.advances(),
          .barriers = barriers_};
}

int64_t PrefixMvcc::Advance() {
  int64_t finished = 0;
  while (finished < queue_.size() && queue_.IsFinished(queue_.at(finished))) {
    ++finished;
  }
  if (finished > 0) queue_.Leave(finished);
  return finished;
}

void PrefixMvcc::Settle(int64_t advanced) {
  if (advanced == 0) return;
  WakeAll();
  slots_.Free(advanced);
  callbacks_.Run();
}

void PrefixMvcc::WakeAll() {
  round_.fetch_add(1, std::memory_order_release);
  FutexWakeAll(round_);
}

}  // namespace shale
