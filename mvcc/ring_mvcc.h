#ifndef SHALE_MVCC_RING_MVCC_H_
#define SHALE_MVCC_RING_MVCC_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/cell/log_position.h"
#include "shale/cell/write_number.h"
#include "shale/mvcc/advance_turn.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/ordered_callbacks.h"
#include "shale/mvcc/pending_wait.h"
#include "shale/mvcc/read_pin_table.h"
#include "shale/mvcc/ring_slot.h"
#include "shale/mvcc/write_slots.h"

namespace shale {

// A ring of slots, one for each write that is begun and not yet visible. A
// write is marked by a store to its slot, without a lock; then one thread at a
// time, whoever gets there first, walks over the finished slots, moves the read
// point once for all of them, and wakes exactly the threads that parked on
// them. A report of the log finishes its whole batch in one such walk.
//
// The i-th write ever begun is in slot i modulo the ring's size; `oldest_` and
// `begun_` bound those under way:
//
//        visible      |  finished or not, in any mix  |   free
//   ... i-2     i-1   |   i      i+1     ...     j-1  |   j    j+1 ...
//                      ^ oldest_                       ^ begun_
//
// Why nothing is missed, and what each memory order is for:
//   M1. Who sees a read point sees the cells below it. A writer inserts, then
//       marks its slot (release); the advancer reads the mark (acquire), then
//       stores the read point (release), which readers load (acquire).
//   M2. Who marks a write, or raises `durable_`, then asks for an advance. Of
//       all who ask, AdvanceTurn lets one walk, and lets it go only if nobody
//       has asked since its last walk began: a mark that a walk came too early
//       for is seen by the next one. Both sides of that are read-modify-writes
//       of one word, so no fence between a store and a later load is needed.
//   M3. Who is to be told sets a bit in its slot's `watch` word and then looks
//       at the read point; the advancer moves the read point and then changes
//       the word, taking the bits. Again read-modify-writes of one word: either
//       the advancer sees the bit, or the waiter comes second and, by the
//       acquire, sees the read point past its write, and doesn't park.
//   M4. The word's upper bits count its slot's writes. A parked thread waits
//       for the word to change, so that a slot which has a new write by the
//       time that it looks wakes it all the same.
//   M5. A slot is reused only after its write was walked over: the advancer
//       frees it in `slots_`, whose lock whoever begins the next write takes.
//   M6. A search without the lock may meet a slot that has a newer write than
//       those it is after. Begin stores that write's `last` with release, after
//       M5, and the search loads it with acquire: who is misled by it sees the
//       move of `oldest_` that let the slot be reused, and searches again.
class RingMvcc final : public Mvcc {
 public:
  RingMvcc(const MvccOptions& options, Clock& clock);

  void Reserve(absl::AnyInvocable<void()> granted) override;
  bool TryReserve() override { return slots_.TryReserve(); }
  void CancelReservation() override;
  absl::StatusOr<BeginResult> Begin(
      int64_t count,
      absl::FunctionRef<absl::StatusOr<Appended>(WriteRange)> append) override
      ABSL_LOCKS_EXCLUDED(mu_);
  void MarkInserted(WriteRange range) override ABSL_LOCKS_EXCLUDED(mu_);
  void MarkDurable(LogPosition position) override ABSL_LOCKS_EXCLUDED(mu_);
  void Complete(WriteRange range) override ABSL_LOCKS_EXCLUDED(mu_);
  void OnVisible(WriteRange range, absl::AnyInvocable<void()> done) override
      ABSL_LOCKS_EXCLUDED(mu_);
  bool WaitVisibleUnless(WriteRange range, PendingWait& wait) override
      ABSL_LOCKS_EXCLUDED(mu_);
  bool WaitBarrierUnless(PendingWait& wait) override ABSL_LOCKS_EXCLUDED(mu_);
  void GiveUp(PendingWait& wait) override ABSL_LOCKS_EXCLUDED(mu_);
  void EndWaits() override ABSL_LOCKS_EXCLUDED(mu_);
  void Barrier(absl::AnyInvocable<void()> done) override
      ABSL_LOCKS_EXCLUDED(mu_);
  WriteNumber ReadPoint() const override;
  WriteNumber WritePoint() const override ABSL_LOCKS_EXCLUDED(mu_);
  absl::Status AdvanceTo(WriteNumber number) override ABSL_LOCKS_EXCLUDED(mu_);
  ReadPin Pin() override { return pins_.Pin(); }
  WriteNumber SmallestPinned() const override { return pins_.SmallestPinned(); }
  std::vector<std::string> StuckWrites(absl::Duration age) const override
      ABSL_LOCKS_EXCLUDED(mu_);
  MvccStats stats() const override ABSL_LOCKS_EXCLUDED(mu_);
  absl::string_view name() const override { return "ring"; }

 private:
  // A callback that waits for the write that ends with `last`.
  struct Waiting {
    WriteNumber last;
    absl::AnyInvocable<void()> done;
  };

  bool IsVisible(WriteNumber number) const { return number <= ReadPoint(); }
  RingSlot& slot(uint64_t index) const { return ring_[index & mask_]; }
  bool IsFinished(const RingSlot& slot) const;

  // Of the writes under way the oldest that ends at or above `number`, or the
  // newest of all if there is none. Without mu_, the slots of older writes may
  // be reused meanwhile and mislead it.
  RingSlot& Search(WriteNumber number) const;
  // The slot of exactly `range`, which only the caller can finish.
  RingSlot& FindWrite(WriteRange range) const;
  // Marks it (M1), then asks for an advance (M2).
  void Mark(WriteRange range, RingSlot::Mark mark) ABSL_LOCKS_EXCLUDED(mu_);
  // Sets `bit` in the slot that `number` belongs to, so that the advance past
  // it will notice. Null if `number` is visible; then the bit may be set or
  // not, which does no harm.
  RingSlot* Watch(WriteNumber number, uint32_t bit, uint32_t* watch)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void AddWaiting(WriteNumber last, absl::AnyInvocable<void()> done)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  // After each mark: makes visible what now may be, here or in the thread that
  // is at it.
  void Advance() ABSL_LOCKS_EXCLUDED(mu_);
  // One walk over the finished prefix; whether there was any. By whoever has
  // the turn.
  bool Walk() ABSL_LOCKS_EXCLUDED(mu_);
  // Adds to callbacks_ those that wait for what is visible at `read_point`. By
  // whoever has the turn, which keeps them in order.
  void CollectVisible(WriteNumber read_point) ABSL_LOCKS_EXCLUDED(mu_);

  const std::string owner_;
  Clock& clock_;

  OrderedCallbacks callbacks_;
  WriteSlots slots_;
  const uint64_t mask_;  // The ring's size is a power of two: that less one.
  const std::unique_ptr<RingSlot[]> ring_;

  // M1. Moved by whoever has the turn, and by AdvanceTo when nothing is under
  // way.
  std::atomic<uint64_t> read_point_{0};
  ReadPinTable pins_;

  // M2. Raised by compare-and-swap with release, loaded with acquire: who sees
  // a position durable sees what was written before that was reported.
  std::atomic<uint64_t> durable_{kLogStart.value};
  AdvanceTurn turn_;
  // Moved by whoever has the turn, with release after the read point; pairs
  // with the acquire load in Search, and tells FindWrite that its search was
  // misled (M6).
  std::atomic<uint64_t> oldest_{0};
  // Release store in Begin once the slot is filled, acquire loads in Walk and
  // Search, which then see what is in it.
  std::atomic<uint64_t> begun_{0};

  // Order: row locks -> updates lock -> mu_ -> the log's lock (in `append`),
  // and mu_ -> the locks of slots_ and callbacks_. While it is held no slot is
  // reused.
  mutable absl::Mutex mu_;
  WriteNumber last_minted_ ABSL_GUARDED_BY(mu_);
  std::deque<Waiting> waiting_ ABSL_GUARDED_BY(mu_);  // In number order.
  bool waits_ended_ ABSL_GUARDED_BY(mu_) = false;
  int64_t barriers_ ABSL_GUARDED_BY(mu_) = 0;

  // Mere counters: they order nothing and pair with nothing.
  std::atomic<int64_t> waits_{0};
  std::atomic<int64_t> wakes_{0};
  std::atomic<int64_t> advances_{0};
};

}  // namespace shale

#endif  // SHALE_MVCC_RING_MVCC_H_
