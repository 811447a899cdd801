#ifndef SHALE_MVCC_RING_SLOT_H_
#define SHALE_MVCC_RING_SLOT_H_

#include <atomic>
#include <cstdint>

#include "shale/base/cxx_standard.h"

namespace shale {

// One write of RingMvcc, on a cache line of its own: writers that mark
// neighbouring writes don't slow each other down. What pairs with what is told
// in ring_mvcc.h.
struct alignas(64) RingSlot {
  enum Mark : uint32_t {
    kBegun,
    kInserted,   // Finished once the log is durable up to durable_at.
    kCompleted,  // Finished.
  };
  // Bits of `watch`: a thread is parked; a callback waits. Above them is a
  // count, in steps of kNextWrite.
  static constexpr uint32_t kParked = 1;
  static constexpr uint32_t kCallback = 2;
  static constexpr uint32_t kNextWrite = 4;

  // Filled in Begin, by stores that the release of `begun_` publishes. Atomic
  // since a search without a lock may meet a slot that is being filled anew; it
  // then takes nothing for its own but what is. For that, `last` is stored with
  // release and loaded with acquire.
  std::atomic<uint64_t> first{0};
  std::atomic<uint64_t> last{0};
  std::atomic<uint64_t> durable_at{0};
  std::atomic<int64_t> begun_at_ns{0};  // On the monotonic clock.

  std::atomic<uint32_t> mark{kBegun};
  std::atomic<uint32_t> watch{0};  // What a parked thread waits on.
};

}  // namespace shale

#endif  // SHALE_MVCC_RING_SLOT_H_
