#include "shale/memstore/cell_skip_list.h"

#include <cstring>
#include <new>

#include "absl/numeric/bits.h"
#include "shale/cell/cell_key.h"

namespace shale {

// A node is this header, then `height` - 1 further links, then the key, the
// value and the tags.
struct CellSkipList::Node {
  uint32_t key_bytes;
  uint32_t value_bytes;
  uint32_t tags_bytes;
  int32_t height;
  std::atomic<Node*> next[1];

  char* bytes() { return reinterpret_cast<char*>(this) + HeaderBytes(height); }
  const char* bytes() const {
    return reinterpret_cast<const char*>(this) + HeaderBytes(height);
  }
  absl::string_view key() const { return {bytes(), key_bytes}; }

  static size_t HeaderBytes(int height) {
    return sizeof(Node) + sizeof(std::atomic<Node*>) * (height - 1);
  }
};

CellSkipList::CellSkipList(Arena& arena)
    : arena_(arena), head_(NewNode(0, "", "", kMaxHeight)) {}

size_t CellSkipList::CellBytes(const CellView& cell) {
  constexpr size_t kAlignment = 8;
  return Node::HeaderBytes(kMaxHeight) + CellKeyBytes(cell) +
         cell.value.size() + cell.tags.size() + kAlignment;
}

CellSkipList::Node* CellSkipList::NewNode(size_t key_bytes,
                                          absl::string_view value,
                                          absl::string_view tags, int height) {
  char* const memory = arena_.Allocate(Node::HeaderBytes(height) + key_bytes +
                                       value.size() + tags.size());
  Node* const node = new (memory) Node;
  node->key_bytes = static_cast<uint32_t>(key_bytes);
  node->value_bytes = static_cast<uint32_t>(value.size());
  node->tags_bytes = static_cast<uint32_t>(tags.size());
  node->height = height;
  for (int level = 0; level < height; ++level) {
    new (&node->next[level]) std::atomic<Node*>(nullptr);
  }
  char* out = node->bytes() + key_bytes;
  if (!value.empty()) std::memcpy(out, value.data(), value.size());
  out += value.size();
  if (!tags.empty()) std::memcpy(out, tags.data(), tags.size());
  return node;
}

int CellSkipList::RandomHeight() {
  // splitmix64's output function on a counter: two bits a level, so one node in
  // four goes up.
  uint64_t x = random_.fetch_add(0x9e3779b97f4a7c15, std::memory_order_relaxed);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  x ^= x >> 31;
  const int height = 1 + absl::countr_zero(x | (uint64_t{1} << 62)) / 2;
  return height < kMaxHeight ? height : kMaxHeight;
}

void CellSkipList::FindOnLevel(absl::string_view key, int level, Node** before,
                               Node** after) const {
  Node* at = *before;
  for (;;) {
    Node* const next = at->next[level].load(std::memory_order_acquire);
    if (next == nullptr || CompareCellKeys(next->key(), key) >= 0) {
      *before = at;
      *after = next;
      return;
    }
    at = next;
  }
}

void CellSkipList::Find(absl::string_view key, Place& place) const {
  Node* before = head_;
  const int height = height_.load(std::memory_order_relaxed);
  for (int level = kMaxHeight - 1; level >= height; --level) {
    place.before[level] = head_;
    place.after[level] = nullptr;
  }
  for (int level = height - 1; level >= 0; --level) {
    FindOnLevel(key, level, &before, &place.after[level]);
    place.before[level] = before;
  }
}

bool CellSkipList::Insert(const CellView& cell) {
  const int height = RandomHeight();
  Node* const node = NewNode(CellKeyBytes(cell), cell.value, cell.tags, height);
  EncodeCellKey(cell, node->bytes());
  const absl::string_view key = node->key();
  int seen = height_.load(std::memory_order_relaxed);
  while (seen < height && !height_.compare_exchange_weak(
                              seen, height, std::memory_order_relaxed)) {
  }
  Place place;
  Find(key, place);
  for (int level = 0; level < height; ++level) {
    for (;;) {
      Node* const after = place.after[level];
      if (level == 0 && after != nullptr &&
          CompareCellKeys(after->key(), key) == 0) {
        return false;  // Its memory goes with the arena.
      }
      node->next[level].store(after, std::memory_order_relaxed);
      Node* expected = after;
      if (place.before[level]->next[level].compare_exchange_strong(
              expected, node, std::memory_order_release,
              std::memory_order_relaxed)) {
        break;
      }
      // Another node came in between; nodes never go, so go on from `before`.
      FindOnLevel(key, level, &place.before[level], &place.after[level]);
    }
  }
  return true;
}

void CellSkipList::Iterator::Seek(absl::string_view key) {
  Place place;
  list_.Find(key, place);
  node_ = place.after[0];
}

void CellSkipList::Iterator::SeekToFirst() {
  node_ = list_.head_->next[0].load(std::memory_order_acquire);
}

void CellSkipList::Iterator::Next() {
  node_ = node_->next[0].load(std::memory_order_acquire);
}

absl::string_view CellSkipList::Iterator::key() const { return node_->key(); }

absl::string_view CellSkipList::Iterator::value() const {
  return {node_->bytes() + node_->key_bytes, node_->value_bytes};
}

absl::string_view CellSkipList::Iterator::tags() const {
  return {node_->bytes() + node_->key_bytes + node_->value_bytes,
          node_->tags_bytes};
}

}  // namespace shale
