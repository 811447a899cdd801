#ifndef SHALE_MEMSTORE_MEMSTORE_SEGMENT_H_
#define SHALE_MEMSTORE_MEMSTORE_SEGMENT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "shale/cell/cell.h"
#include "shale/cell/cell_scanner.h"
#include "shale/memstore/arena.h"
#include "shale/memstore/cell_skip_list.h"

namespace shale {

struct MemstoreSize {
  // Keys, values and tags.
  int64_t data_bytes = 0;
  // What the arena takes: data, links, and room not used yet.
  int64_t arena_bytes = 0;
  int64_t cells = 0;
  int64_t deletes = 0;  // Markers of any kind, counted in `cells` too.
};

// One family's newest cells, in memory and in key order. A region inserts into
// its active segment; once it is frozen, nobody inserts any more and a flush
// writes it out. It holds cells of every write number, visible or not: what a
// reader sees of them is its VersionResolver's decision.
//
// Thread-safe, readers and writers alike without locks.
class MemstoreSegment {
 public:
  MemstoreSegment() : cells_(arena_) {}

  // Copies `cell` in. A cell with the same key, write number included, is the
  // same write replayed: the second is ignored. Cannot fail, so whoever calls
  // has reserved CellBytes(cell) where memory is limited.
  void Insert(const CellView& cell);

  // The most that Insert takes for `cell`.
  static size_t CellBytes(const CellView& cell) {
    return CellSkipList::CellBytes(cell);
  }

  bool empty() const {
    return cells_count_.load(std::memory_order_relaxed) == 0;
  }
  // Exact once nobody inserts.
  MemstoreSize size() const;

  // A scanner over all cells, also those inserted while it reads. Never fails.
  // The segment outlives it.
  std::unique_ptr<CellScanner> NewScanner() const;

 private:
  Arena arena_;
  CellSkipList cells_;
  // Statistics; they order nothing.
  std::atomic<int64_t> data_bytes_{0};
  std::atomic<int64_t> cells_count_{0};
  std::atomic<int64_t> deletes_{0};
};

}  // namespace shale

#endif  // SHALE_MEMSTORE_MEMSTORE_SEGMENT_H_
