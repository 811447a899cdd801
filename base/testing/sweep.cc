#include "shale/base/testing/sweep.h"

#include "shale/base/check.h"
#include "shale/base/testing/env_number.h"
#include "shale/base/testing/test_seed.h"

namespace shale {

Sweep SweepFrom(uint64_t first) {
  const uint64_t stride = EnvNumber("SHALE_SWEEP_STRIDE", 1);
  SHALE_CHECK(stride > 0) << "SHALE_SWEEP_STRIDE is 0";
  if (stride == 1) return {first, 1};
  return {first + TestSeed() % stride, stride};
}

}  // namespace shale
