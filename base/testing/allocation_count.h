// Counts what a test binary allocates. Linking this replaces operator new, so
// such a test is a binary of its own, and none for AddressSanitizer.
#ifndef SHALE_BASE_TESTING_ALLOCATION_COUNT_H_
#define SHALE_BASE_TESTING_ALLOCATION_COUNT_H_

#include <cstdint>

#include "shale/base/cxx_standard.h"

namespace shale {

// How often any thread has called operator new so far.
int64_t AllocationCount();

}  // namespace shale

#endif  // SHALE_BASE_TESTING_ALLOCATION_COUNT_H_
