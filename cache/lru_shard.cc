#include "shale/cache/lru_shard.h"

#include <utility>

#include "shale/base/check.h"

namespace shale {
namespace {

size_t Index(BlockKind kind) {
  const size_t index = static_cast<size_t>(kind);
  SHALE_CHECK(index < kBlockKinds) << "block kind " << index;
  return index;
}

}  // namespace

LruShard::~LruShard() {
  absl::MutexLock lock(&mu_);
  for (auto& [key, entry] : entries_) {
    SHALE_CHECK(entry->load == nullptr) << "destroyed while a block is loaded";
  }
  while (!entries_.empty()) Remove(*entries_.begin()->second);
}

size_t LruShard::EntryBytes() {
  // A hash table doubles, so that up to 16/7 of its slots are taken up for each
  // entry; each slot has one more control byte. A file may have one entry only.
  constexpr size_t kSlotBytes =
      (sizeof(std::pair<BlockKey, std::unique_ptr<Entry>>) + 1) * 16 / 7;
  constexpr size_t kFileSlotBytes = (sizeof(void*) + 1) * 16 / 7;
  return sizeof(Entry) + kSlotBytes + kFileSlotBytes +
         sizeof(std::pair<uint64_t, FileList>);
}

BlockRef LruShard::Lookup(BlockKey key, BlockKind kind) {
  absl::MutexLock lock(&mu_);
  Entry* entry = Find(key);
  if (entry == nullptr || entry->held.block == nullptr) {
    ++stats_.misses[Index(kind)];
    return nullptr;
  }
  ++stats_.hits[Index(kind)];
  Touch(*entry);
  return entry->held.block;
}

LruShard::Found LruShard::FindOrBeginLoad(BlockKey key, BlockKind kind,
                                          CacheFill fill) {
  const bool keep = fill == CacheFill::kFill;
  absl::MutexLock lock(&mu_);
  Entry* entry = Find(key);
  if (entry != nullptr && entry->held.block != nullptr) {
    ++stats_.hits[Index(kind)];
    if (keep) Touch(*entry);
    return Found{.block = entry->held.block};
  }
  ++stats_.misses[Index(kind)];
  const bool is_loader = entry == nullptr;
  if (is_loader) {
    entry = &Add(key);
    entry->load = std::make_shared<BlockLoad>();
  }
  entry->keep |= keep;
  return Found{.load = entry->load, .is_loader = is_loader};
}

bool LruShard::EndUnwantedLoad(BlockKey key, const BlockLoad& load) {
  absl::MutexLock lock(&mu_);
  Entry* entry = FindLoad(key, load);
  if (entry == nullptr) return true;
  if (entry->keep) return false;
  Remove(*entry);
  return true;
}

void LruShard::EndFailedLoad(BlockKey key, const BlockLoad& load) {
  absl::MutexLock lock(&mu_);
  if (Entry* entry = FindLoad(key, load)) Remove(*entry);
}

bool LruShard::EndLoad(BlockKey key, const BlockLoad& load,
                       ChargedBlock block) {
  absl::MutexLock lock(&mu_);
  Entry* entry = FindLoad(key, load);
  if (entry == nullptr) return false;
  MakeResident(*entry, std::move(block));
  return true;
}

bool LruShard::Insert(BlockKey key, ChargedBlock block) {
  absl::MutexLock lock(&mu_);
  Entry* entry = Find(key);
  if (entry == nullptr) entry = &Add(key);
  if (entry->held.block != nullptr) return false;
  MakeResident(*entry, std::move(block));
  return true;
}

std::optional<ChargedBlock> LruShard::EvictOldest() {
  absl::MutexLock lock(&mu_);
  if (by_use_.empty()) return std::nullopt;
  ++stats_.evictions;
  return Remove(by_use_.back());
}

std::vector<ChargedBlock> LruShard::EvictFile(uint64_t file) {
  std::vector<ChargedBlock> evicted;
  absl::MutexLock lock(&mu_);
  // Removing its last entry removes the file.
  for (auto found = by_file_.find(file); found != by_file_.end();
       found = by_file_.find(file)) {
    ChargedBlock block = Remove(found->second.front());
    if (block.block != nullptr) evicted.push_back(std::move(block));
  }
  return evicted;
}

bool LruShard::Contains(BlockKey key) const {
  absl::MutexLock lock(&mu_);
  const Entry* entry = Find(key);
  return entry != nullptr && entry->held.block != nullptr;
}

void LruShard::CountRefused() {
  absl::MutexLock lock(&mu_);
  ++stats_.refused;
}

void LruShard::AddStats(BlockCacheStats* stats) const {
  absl::MutexLock lock(&mu_);
  for (size_t kind = 0; kind < kBlockKinds; ++kind) {
    stats->hits[kind] += stats_.hits[kind];
    stats->misses[kind] += stats_.misses[kind];
  }
  stats->inserts += stats_.inserts;
  stats->evictions += stats_.evictions;
  stats->refused += stats_.refused;
  stats->resident_blocks += stats_.resident_blocks;
  for (const auto& [key, entry] : entries_) {
    if (entry->held.block.use_count() > 1) {
      stats->pinned_bytes += entry->held.charge;
    }
  }
}

LruShard::Entry* LruShard::Find(BlockKey key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : found->second.get();
}

LruShard::Entry* LruShard::FindLoad(BlockKey key, const BlockLoad& load) const {
  Entry* entry = Find(key);
  return entry != nullptr && entry->load.get() == &load ? entry : nullptr;
}

LruShard::Entry& LruShard::Add(BlockKey key) {
  std::unique_ptr<Entry>& entry = entries_[key];
  entry = std::make_unique<Entry>();
  entry->key = key;
  by_file_[key.file].PushFront(*entry);
  return *entry;
}

void LruShard::MakeResident(Entry& entry, ChargedBlock block) {
  entry.load = nullptr;
  entry.held = std::move(block);
  by_use_.PushFront(entry);
  ++stats_.inserts;
  ++stats_.resident_blocks;
}

void LruShard::Touch(Entry& entry) {
  by_use_.Remove(entry);
  by_use_.PushFront(entry);
}

ChargedBlock LruShard::Remove(Entry& entry) {
  ChargedBlock held = std::move(entry.held);
  if (held.block != nullptr) {
    by_use_.Remove(entry);
    --stats_.resident_blocks;
  }
  FileList::Remove(entry);
  const BlockKey key = entry.key;
  const auto file = by_file_.find(key.file);
  if (file->second.empty()) by_file_.erase(file);
  entries_.erase(key);
  return held;
}

}  // namespace shale
