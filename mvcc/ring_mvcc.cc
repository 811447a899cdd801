#include "shale/mvcc/ring_mvcc.h"

#include <algorithm>
#include <utility>

#include "absl/numeric/bits.h"
#include "shale/base/check.h"
#include "shale/base/raise_to.h"
#include "shale/base/status_macros.h"
#include "shale/mvcc/futex.h"
#include "shale/mvcc/mint.h"
#include "shale/mvcc/stuck_write.h"

namespace shale {
namespace {

// Walks in one turn. Enough that a turn is seldom given up with work left.
constexpr int kMaxRounds = 16;

}  // namespace

RingMvcc::RingMvcc(const MvccOptions& options, Clock& clock)
    : owner_(options.owner),
      clock_(clock),
      slots_(options.slots, callbacks_),
      mask_(absl::bit_ceil(static_cast<uint64_t>(options.slots)) - 1),
      ring_(new RingSlot[mask_ + 1]),
      pins_(read_point_) {}

void RingMvcc::Reserve(absl::AnyInvocable<void()> granted) {
  slots_.Reserve(std::move(granted));
}

void RingMvcc::CancelReservation() {
  slots_.CancelReservation();
  callbacks_.Run();
}

absl::StatusOr<BeginResult> RingMvcc::Begin(
    int64_t count,
    absl::FunctionRef<absl::StatusOr<Appended>(WriteRange)> append) {
  absl::MutexLock lock(&mu_);
  SHALE_ASSIGN_OR_RETURN(const BeginResult begun,
                         Mint(count, append, last_minted_));
  slots_.Use();
  const uint64_t index = begun_.load(std::memory_order_relaxed);
  RingSlot& slot = this->slot(index);
  slot.first.store(begun.range.first.value, std::memory_order_relaxed);
  slot.last.store(begun.range.last.value, std::memory_order_release);  // M6
  slot.durable_at.store(begun.durable_at.value, std::memory_order_relaxed);
  slot.begun_at_ns.store(absl::ToInt64Nanoseconds(clock_.Monotonic()),
                         std::memory_order_relaxed);
  slot.mark.store(RingSlot::kBegun, std::memory_order_relaxed);
  slot.watch.store(slot.watch.load(std::memory_order_relaxed) &
                       ~(RingSlot::kParked | RingSlot::kCallback),
                   std::memory_order_relaxed);
  begun_.store(index + 1, std::memory_order_release);
  return begun;
}

void RingMvcc::MarkInserted(WriteRange range) {
  Mark(range, RingSlot::kInserted);
}

void RingMvcc::Complete(WriteRange range) { Mark(range, RingSlot::kCompleted); }

void RingMvcc::Mark(WriteRange range, RingSlot::Mark mark) {
  const uint32_t before =
      FindWrite(range).mark.exchange(mark, std::memory_order_release);
  SHALE_CHECK(before == RingSlot::kBegun)
      << range.first << " is marked already";
  Advance();
}

void RingMvcc::MarkDurable(LogPosition position) {
  if (RaiseTo(durable_, position.value, std::memory_order_release)) Advance();
}

void RingMvcc::OnVisible(WriteRange range, absl::AnyInvocable<void()> done) {
  if (!IsVisible(range.last)) {
    absl::MutexLock lock(&mu_);
    uint32_t watch;
    RingSlot* slot = Watch(range.last, RingSlot::kCallback, &watch);
    if (slot != nullptr) {
      AddWaiting({slot->last.load(std::memory_order_relaxed)}, std::move(done));
      return;
    }
  }
  done();
}

bool RingMvcc::WaitVisibleUnless(WriteRange range, PendingWait& wait) {
  for (bool parked = false; !IsVisible(range.last); parked = true) {
    RingSlot* slot;
    uint32_t watch;
    {
      absl::MutexLock lock(&mu_);
      slot = Watch(range.last, RingSlot::kParked, &watch);
      if (slot == nullptr) return true;
      if (waits_ended_ || wait.given_up.load(std::memory_order_acquire)) {
        return false;
      }
      wait.parked_on = &slot->watch;
    }
    if (!parked) waits_.fetch_add(1, std::memory_order_relaxed);
    FutexWait(slot->watch, watch);
    wakes_.fetch_add(1, std::memory_order_relaxed);
  }
  return true;
}

void RingMvcc::GiveUp(PendingWait& wait) {
  wait.given_up.store(true, std::memory_order_release);
  std::atomic<uint32_t>* watch;
  {
    // Either sees where it is parked, or comes before it looks.
    absl::MutexLock lock(&mu_);
    watch = wait.parked_on;
    if (watch == nullptr) return;
    // The slot may have a new write by now: M4. Leaves the bits.
    watch->fetch_add(RingSlot::kNextWrite, std::memory_order_acq_rel);
  }
  FutexWakeAll(*watch);
}

void RingMvcc::EndWaits() {
  absl::MutexLock lock(&mu_);
  waits_ended_ = true;
  const uint64_t begun = begun_.load(std::memory_order_relaxed);
  for (uint64_t i = oldest_.load(std::memory_order_acquire); i < begun; ++i) {
    // Leaves the bits for the advancer.
    const uint32_t bits = slot(i).watch.fetch_add(RingSlot::kNextWrite,
                                                  std::memory_order_acq_rel);
    if (bits & RingSlot::kParked) FutexWakeAll(slot(i).watch);
  }
}

bool RingMvcc::WaitBarrierUnless(PendingWait& wait) {
  WriteNumber begun;
  {
    absl::MutexLock lock(&mu_);
    begun = last_minted_;
    if (!IsVisible(begun)) ++barriers_;
  }
  return WaitVisibleUnless({begun, begun}, wait);
}

void RingMvcc::Barrier(absl::AnyInvocable<void()> done) {
  {
    absl::MutexLock lock(&mu_);
    uint32_t watch;
    if (!IsVisible(last_minted_) &&
        Watch(last_minted_, RingSlot::kCallback, &watch) != nullptr) {
      ++barriers_;
      AddWaiting(last_minted_, std::move(done));
      return;
    }
  }
  done();
}

WriteNumber RingMvcc::ReadPoint() const {
  return {read_point_.load(std::memory_order_acquire)};
}

WriteNumber RingMvcc::WritePoint() const {
  absl::MutexLock lock(&mu_);
  return last_minted_;
}

absl::Status RingMvcc::AdvanceTo(WriteNumber number) {
  absl::MutexLock lock(&mu_);
  const WriteNumber read_point = ReadPoint();
  if (read_point < last_minted_) {
    const uint64_t oldest = oldest_.load(std::memory_order_acquire);
    return UnfinishedWritesError(
        owner_, number,
        static_cast<int64_t>(begun_.load(std::memory_order_relaxed) - oldest),
        read_point + 1);
  }
  // Nothing is under way and nothing can begin: nobody else moves it.
  if (number > last_minted_) {
    last_minted_ = number;
    read_point_.store(number.value, std::memory_order_release);
    advances_.fetch_add(1, std::memory_order_relaxed);
  }
  return absl::OkStatus();
}

std::vector<std::string> RingMvcc::StuckWrites(absl::Duration age) const {
  std::vector<StuckWrite> stuck;
  LogPosition durable;
  {
    absl::MutexLock lock(&mu_);
    const absl::Duration now = clock_.Monotonic();
    durable = {durable_.load(std::memory_order_acquire)};
    const uint64_t begun = begun_.load(std::memory_order_relaxed);
    for (uint64_t i = oldest_.load(std::memory_order_acquire); i < begun; ++i) {
      const RingSlot& slot = this->slot(i);
      const absl::Duration old =
          now -
          absl::Nanoseconds(slot.begun_at_ns.load(std::memory_order_relaxed));
      // Begun in the order of the ring: all that follow are younger.
      if (old < age) break;
      const uint32_t mark = slot.mark.load(std::memory_order_relaxed);
      stuck.push_back(
          {{{slot.first.load(std::memory_order_relaxed)},
            {slot.last.load(std::memory_order_relaxed)}},
           mark == RingSlot::kCompleted
               ? kLogStart
               : LogPosition{slot.durable_at.load(std::memory_order_relaxed)},
           old,
           mark != RingSlot::kBegun});
    }
  }
  return DescribeStuckWrites(owner_, stuck, durable);
}

MvccStats RingMvcc::stats() const {
  absl::MutexLock lock(&mu_);
  return {.waits = waits_.load(std::memory_order_relaxed),
          .wakes = wakes_.load(std::memory_order_relaxed),
          .advances = advances_.load(std::memory_order_relaxed),
          .barriers = barriers_};
}

bool RingMvcc::IsFinished(const RingSlot& slot) const {
  const uint32_t mark = slot.mark.load(std::memory_order_acquire);
  return mark == RingSlot::kCompleted ||
         (mark == RingSlot::kInserted &&
          slot.durable_at.load(std::memory_order_relaxed) <=
              durable_.load(std::memory_order_acquire));
}

RingSlot& RingMvcc::Search(WriteNumber number) const {
  uint64_t low = oldest_.load(std::memory_order_acquire);
  const uint64_t begun = begun_.load(std::memory_order_acquire);
  uint64_t high = begun;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    // M6.
    if (slot(middle).last.load(std::memory_order_acquire) < number.value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return slot(low < begun ? low : begun - 1);
}

RingSlot& RingMvcc::FindWrite(WriteRange range) const {
  while (true) {
    const uint64_t oldest = oldest_.load(std::memory_order_acquire);
    RingSlot& slot = Search(range.last);
    const WriteRange found{{slot.first.load(std::memory_order_relaxed)},
                           {slot.last.load(std::memory_order_acquire)}};
    // Numbers are used once: a slot with these can't be another's.
    if (found == range) {
      SHALE_CHECK(!IsVisible(range.last))
          << range.last << " is not an unfinished write; read point "
          << ReadPoint();
      return slot;
    }
    // Misled at most once for each time that older writes became visible.
    if (oldest_.load(std::memory_order_acquire) != oldest) continue;
    SHALE_CHECK(IsVisible(range.last) || found.last < range.last)
        << range.first << ".." << range.last << " is not the write "
        << found.first << ".." << found.last;
    SHALE_CHECK(false) << range.last
                       << " is not an unfinished write; read point "
                       << ReadPoint();
  }
}

RingSlot* RingMvcc::Watch(WriteNumber number, uint32_t bit, uint32_t* watch) {
  SHALE_CHECK(number <= last_minted_)
      << number << " is not an unfinished write; read point " << ReadPoint()
      << ", last minted " << last_minted_;
  if (IsVisible(number)) return nullptr;
  RingSlot& slot = Search(number);
  *watch = slot.watch.fetch_or(bit, std::memory_order_acq_rel) | bit;
  return IsVisible(number) ? nullptr : &slot;
}

void RingMvcc::AddWaiting(WriteNumber last, absl::AnyInvocable<void()> done) {
  // Mostly at the end: callbacks come about in the order of the writes.
  const auto place = std::upper_bound(
      waiting_.begin(), waiting_.end(), last,
      [](WriteNumber n, const Waiting& waiting) { return n < waiting.last; });
  waiting_.insert(place, Waiting{last, std::move(done)});
}

void RingMvcc::Advance() {
  bool asks = true;
  while (asks && turn_.Ask()) {
    AdvanceTurn::Asked asked = 1;
    bool moved = false;
    int rounds = 0;
    do {
      moved = Walk() || moved;
      asks = !turn_.Leave(asked);
    } while (asks && ++rounds < kMaxRounds);
    // Others may ask for ever, but callbacks mustn't wait for ever.
    if (asks) turn_.Drop();
    // After the turn is given back: a callback may take long, or mark a write.
    if (moved) callbacks_.Run();
  }
}

bool RingMvcc::Walk() {
  const uint64_t oldest = oldest_.load(std::memory_order_relaxed);
  // Before the read point is loaded: who sees a write begun sees the AdvanceTo
  // before it.
  const uint64_t begun = begun_.load(std::memory_order_acquire);
  WriteNumber read_point = ReadPoint();
  uint64_t end = oldest;
  for (; end < begun && IsFinished(slot(end)); ++end) {
    const uint64_t first = slot(end).first.load(std::memory_order_relaxed);
    SHALE_CHECK(first == read_point.value + 1)
        << "#" << first << " follows " << read_point;
    read_point = {slot(end).last.load(std::memory_order_relaxed)};
  }
  if (end == oldest) return false;
  read_point_.store(read_point.value, std::memory_order_release);
  oldest_.store(end, std::memory_order_release);
  advances_.fetch_add(1, std::memory_order_relaxed);
  bool callbacks = false;
  for (uint64_t i = oldest; i < end; ++i) {
    std::atomic<uint32_t>& watch = slot(i).watch;
    const uint32_t bits =
        watch.fetch_add(RingSlot::kNextWrite, std::memory_order_acq_rel);
    if (bits & RingSlot::kParked) FutexWakeAll(watch);
    callbacks = callbacks || (bits & RingSlot::kCallback);
  }
  if (callbacks) CollectVisible(read_point);
  slots_.Free(static_cast<int64_t>(end - oldest));
  return true;
}

void RingMvcc::CollectVisible(WriteNumber read_point) {
  absl::MutexLock lock(&mu_);
  while (!waiting_.empty() && waiting_.front().last <= read_point) {
    callbacks_.Add(std::move(waiting_.front().done));
    waiting_.pop_front();
  }
}

}  // namespace shale
