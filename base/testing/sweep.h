// Which points of a sweep are tried.
#ifndef SHALE_BASE_TESTING_SWEEP_H_
#define SHALE_BASE_TESTING_SWEEP_H_

#include <cstdint>

#include "shale/base/cxx_standard.h"

namespace shale {

// A sweep makes each of many calls fail, one after the other. It goes from
// `first` on in steps of `stride`.
struct Sweep {
  uint64_t first;
  uint64_t stride;
};

// Every point from `first` on. Where the environment variable
// SHALE_SWEEP_STRIDE is above 1, only every so many, beginning with one that
// the test's seed chooses, so that all of them aren't left out everywhere: for
// where the same sweep has been made in full before. As TestSeed, to be called
// from the test's own thread.
Sweep SweepFrom(uint64_t first);

}  // namespace shale

#endif  // SHALE_BASE_TESTING_SWEEP_H_
