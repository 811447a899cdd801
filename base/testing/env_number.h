// Numbers that the environment gives to tests.
#ifndef SHALE_BASE_TESTING_ENV_NUMBER_H_
#define SHALE_BASE_TESTING_ENV_NUMBER_H_

#include <cstdint>

#include "shale/base/cxx_standard.h"

namespace shale {

// The number in the environment variable `name`, or `otherwise` if it isn't
// set. Aborts if it is set to something else.
uint64_t EnvNumber(const char* name, uint64_t otherwise);

}  // namespace shale

#endif  // SHALE_BASE_TESTING_ENV_NUMBER_H_
