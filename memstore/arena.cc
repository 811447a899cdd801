#include "shale/memstore/arena.h"

#include <algorithm>

namespace shale {
namespace {

constexpr size_t kAlignment = 8;

constexpr size_t RoundUp(size_t bytes) {
  return (bytes + kAlignment - 1) & ~(kAlignment - 1);
}

}  // namespace

Arena::Arena() = default;
Arena::~Arena() = default;

char* Arena::Chunk::Take(size_t bytes) {
  // Looks before it adds, so that threads that keep asking a full chunk can't
  // make its offset wrap.
  if (used.load(std::memory_order_relaxed) + bytes > size) return nullptr;
  const size_t offset = used.fetch_add(bytes, std::memory_order_relaxed);
  return offset + bytes <= size ? memory.get() + offset : nullptr;
}

char* Arena::Allocate(size_t bytes) {
  bytes = RoundUp(bytes);
  if (Chunk* const chunk = current_.load(std::memory_order_acquire)) {
    if (char* const piece = chunk->Take(bytes)) return piece;
  }
  return AllocateSlow(bytes);
}

char* Arena::AllocateSlow(size_t bytes) {
  absl::MutexLock lock(&mu_);
  // A large piece gets a chunk of its own, and the current one stays in use.
  if (bytes > kMaxChunkBytes / 4) return AddChunk(bytes)->Take(bytes);
  // Somebody else may have made a new chunk while this thread waited.
  if (Chunk* const chunk = current_.load(std::memory_order_relaxed)) {
    if (char* const piece = chunk->Take(bytes)) return piece;
  }
  Chunk* const chunk = AddChunk(std::max(next_chunk_bytes_, bytes));
  next_chunk_bytes_ = std::min(next_chunk_bytes_ * 2, kMaxChunkBytes);
  char* const piece = chunk->Take(bytes);
  current_.store(chunk, std::memory_order_release);
  return piece;
}

Arena::Chunk* Arena::AddChunk(size_t size) {
  chunks_.push_back(std::make_unique<Chunk>(size));
  bytes_reserved_.fetch_add(static_cast<int64_t>(size),
                            std::memory_order_relaxed);
  return chunks_.back().get();
}

}  // namespace shale
