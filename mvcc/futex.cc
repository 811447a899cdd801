#include "shale/mvcc/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>

namespace shale {
namespace {

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t) &&
              std::atomic<uint32_t>::is_always_lock_free);

}  // namespace

void FutexWait(const std::atomic<uint32_t>& word, uint32_t value) {
  // Fails if the value has changed or a signal came; either way it returns.
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr);
}

void FutexWakeAll(const std::atomic<uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT_MAX);
}

}  // namespace shale
