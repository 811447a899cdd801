// The seed of a randomized test.
#ifndef SHALE_BASE_TESTING_TEST_SEED_H_
#define SHALE_BASE_TESTING_TEST_SEED_H_

#include <cstdint>

#include "shale/base/cxx_standard.h"

namespace shale {

// The number in the environment variable SHALE_TEST_SEED, or else one made
// from the running test's name, the same at every run. Prints it, so that a
// failure's log says how to repeat it:
//   ./bazelw test --test_env=SHALE_TEST_SEED=4711 //base:random_test
// Aborts if the variable holds no number. Call from the test's own thread.
uint64_t TestSeed();

}  // namespace shale

#endif  // SHALE_BASE_TESTING_TEST_SEED_H_
