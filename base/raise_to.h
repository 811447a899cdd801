#ifndef SHALE_BASE_RAISE_TO_H_
#define SHALE_BASE_RAISE_TO_H_

#include <atomic>

#include "shale/base/cxx_standard.h"

namespace shale {

// Raises `value` to at least `to`, whoever else raises it meanwhile. Returns
// whether this call did: else it is that large already. The store has `order`;
// a call that stores nothing orders nothing.
template <typename T>
bool RaiseTo(std::atomic<T>& value, T to,
             std::memory_order order = std::memory_order_relaxed) {
  T known = value.load(std::memory_order_relaxed);
  while (known < to) {
    if (value.compare_exchange_weak(known, to, order,
                                    std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

}  // namespace shale

#endif  // SHALE_BASE_RAISE_TO_H_
