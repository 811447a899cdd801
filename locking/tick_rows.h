#ifndef SHALE_LOCKING_TICK_ROWS_H_
#define SHALE_LOCKING_TICK_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "shale/base/cxx_standard.h"

namespace shale {

// The rows that were changed in the current tick, by hashes of 64 bits, which
// stand for the rows: that two of one tick have the same is too rare to matter,
// and would cost a wait.
//
// A hash table with linear probing whose entries bear the number of their tick.
// Those of another tick are free, all at once when a tick begins: no entry is
// ever cleared. Within a tick entries are only added, so that probing may end
// at the first free one. Memory: 16 bytes for each slot, of which there are at
// most four for each row that the last ticks had, but at least kFewestSlots.
// Not thread-safe.
class TickRows {
 public:
  static constexpr size_t kFewestSlots = 16;

  TickRows() : slots_(kFewestSlots) {}

  int64_t tick() const { return tick_; }

  // Forgets all rows. Once in a while, after a tick that left most slots free,
  // halves the table. REQUIRES: tick > tick().
  void BeginTick(int64_t tick) {
    if (slots_.size() > kFewestSlots && rows_ < slots_.size() / 8) {
      slots_ = std::vector<Slot>(slots_.size() / 2);
    }
    tick_ = tick;
    rows_ = 0;
  }

  bool Contains(uint64_t row) const { return slots_[Find(row)].tick == tick_; }

  // Does nothing if it is there. Allocates when half of the slots are taken.
  void Add(uint64_t row) {
    Slot& slot = slots_[Find(row)];
    if (slot.tick == tick_) return;
    slot = {row, tick_};
    if (++rows_ > slots_.size() / 2) Grow();
  }

 private:
  struct Slot {
    uint64_t row = 0;
    int64_t tick = -1;  // Before all ticks.
  };

  // Of the row, or the free one where it would be.
  size_t Find(uint64_t row) const {
    const size_t mask = slots_.size() - 1;
    size_t i = row & mask;
    while (slots_[i].tick == tick_ && slots_[i].row != row) i = (i + 1) & mask;
    return i;
  }

  void Grow() {
    const std::vector<Slot> old = std::move(slots_);
    slots_ = std::vector<Slot>(2 * old.size());
    for (const Slot& slot : old) {
      if (slot.tick == tick_) slots_[Find(slot.row)] = slot;
    }
  }

  std::vector<Slot> slots_;  // A power of two.
  int64_t tick_ = 0;
  size_t rows_ = 0;
};

}  // namespace shale

#endif  // SHALE_LOCKING_TICK_ROWS_H_
