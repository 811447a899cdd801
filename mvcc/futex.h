#ifndef SHALE_MVCC_FUTEX_H_
#define SHALE_MVCC_FUTEX_H_

#include <atomic>
#include <cstdint>

#include "shale/base/cxx_standard.h"

namespace shale {

// Parks the calling thread while `word` holds `value`. May return for no
// reason: the caller looks again. In place of std::atomic::wait, whose
// implementation spins and yields before it parks, and keeps a count of waiters
// that unrelated words share.
void FutexWait(const std::atomic<uint32_t>& word, uint32_t value);

// Wakes all threads that are parked on `word`, which has been changed before.
void FutexWakeAll(const std::atomic<uint32_t>& word);

}  // namespace shale

#endif  // SHALE_MVCC_FUTEX_H_
