#ifndef SHALE_MVCC_PENDING_WAIT_H_
#define SHALE_MVCC_PENDING_WAIT_H_

#include <atomic>
#include <cstdint>

#include "shale/base/cxx_standard.h"

namespace shale {

// The waits of one thread, one after the other, that another thread may end
// (Mvcc::GiveUp). Filled and read by the Mvcc alone.
struct PendingWait {
  // Set once, with release; loaded under the lock or after the word that is
  // changed afterwards, so that no parked thread misses it.
  std::atomic<bool> given_up = false;
  // What the thread last parked on, if the variant tells threads apart. Guarded
  // by its lock.
  std::atomic<uint32_t>* parked_on = nullptr;
};

}  // namespace shale

#endif  // SHALE_MVCC_PENDING_WAIT_H_
