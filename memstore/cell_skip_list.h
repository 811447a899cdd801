#ifndef SHALE_MEMSTORE_CELL_SKIP_LIST_H_
#define SHALE_MEMSTORE_CELL_SKIP_LIST_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "shale/cell/cell.h"
#include "shale/memstore/arena.h"

namespace shale {

// The cells of one family in key order: a skip list (Pugh, 1990) whose nodes
// live in an arena and are never removed, so that readers need no lock and
// writers only compare-and-swap (as in Herlihy and Shavit's, without deletion).
//
// Invariants:
//   L1. Level 0 links every node, in strictly ascending key order; a node is in
//       the list from the moment it is linked there.
//   L2. A node's bytes never change once it is linked. Linking stores a `next`
//       pointer with release; following one loads it with acquire, and so sees
//       the bytes behind it.
//
// Thread-safe: any number of inserts and iterators at a time. An iterator sees
// every node linked before it got there, and perhaps later ones.
class CellSkipList {
 public:
  explicit CellSkipList(Arena& arena);

  // Copies `cell` in. False, with nothing changed, if a cell with the same key
  // (also the same number) is there: it is that very write, replayed.
  bool Insert(const CellView& cell);

  // What a cell takes in the arena at most, links included.
  static size_t CellBytes(const CellView& cell);

 private:
  struct Node;

 public:
  // Not thread-safe itself. The list outlives it.
  class Iterator {
   public:
    explicit Iterator(const CellSkipList& list) : list_(list) {}

    bool valid() const { return node_ != nullptr; }
    // To the first key >= `key`.
    void Seek(absl::string_view key);
    void SeekToFirst();
    // REQUIRES (as all below): valid().
    void Next();
    absl::string_view key() const;
    absl::string_view value() const;
    absl::string_view tags() const;

   private:
    const CellSkipList& list_;
    const Node* node_ = nullptr;
  };

 private:
  // 4^12 cells before searches slow down.
  static constexpr int kMaxHeight = 12;

  // Where a key belongs on each level: after `before`, ahead of `after`.
  struct Place {
    Node* before[kMaxHeight];
    Node* after[kMaxHeight];
  };

  Node* NewNode(size_t key_bytes, absl::string_view value,
                absl::string_view tags, int height);
  int RandomHeight();
  // Walks `level` from `*before` on until *after's key is >= `key` (or null).
  void FindOnLevel(absl::string_view key, int level, Node** before,
                   Node** after) const;
  void Find(absl::string_view key, Place& place) const;

  Arena& arena_;
  Node* const head_;
  // Only a hint where to start: too low a value costs steps, not truth.
  std::atomic<int> height_{1};
  std::atomic<uint64_t> random_{0};  // Mixed into heights; orders nothing.
};

}  // namespace shale

#endif  // SHALE_MEMSTORE_CELL_SKIP_LIST_H_
