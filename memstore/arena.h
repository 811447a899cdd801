#ifndef SHALE_MEMSTORE_ARENA_H_
#define SHALE_MEMSTORE_ARENA_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// Memory that is given out piece by piece and taken back all at once, at the
// end. Many threads may allocate at a time: a piece is one addition to the
// current chunk's offset; only a full chunk takes a lock. Thread-safe.
class Arena {
 public:
  Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena();

  // `bytes` bytes, aligned to 8, not initialised. Valid as long as the arena.
  char* Allocate(size_t bytes) ABSL_LOCKS_EXCLUDED(mu_);

  // What all chunks take.
  int64_t bytes_reserved() const {
    return bytes_reserved_.load(std::memory_order_relaxed);
  }

 private:
  struct Chunk {
    explicit Chunk(size_t size)
        : memory(std::make_unique_for_overwrite<char[]>(size)), size(size) {}

    // The next `bytes` bytes, or null if there are not so many.
    char* Take(size_t bytes);

    const std::unique_ptr<char[]> memory;
    const size_t size;
    // Added to by everybody; pairs with nothing, as each addition owns what it
    // got. Passes `size` once the chunk is full.
    std::atomic<size_t> used{0};
  };

  // The first chunk is small, since many memstores stay almost empty; each
  // further one is twice as large, up to a limit.
  static constexpr size_t kFirstChunkBytes = 4 << 10;
  static constexpr size_t kMaxChunkBytes = 1 << 20;

  char* AllocateSlow(size_t bytes) ABSL_LOCKS_EXCLUDED(mu_);
  Chunk* AddChunk(size_t size) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  absl::Mutex mu_;  // A leaf.
  std::vector<std::unique_ptr<Chunk>> chunks_ ABSL_GUARDED_BY(mu_);
  size_t next_chunk_bytes_ ABSL_GUARDED_BY(mu_) = kFirstChunkBytes;
  // Stored with release once the chunk is made, loaded with acquire to use it.
  std::atomic<Chunk*> current_{nullptr};
  std::atomic<int64_t> bytes_reserved_{0};  // A statistic.
};

}  // namespace shale

#endif  // SHALE_MEMSTORE_ARENA_H_
