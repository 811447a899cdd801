#include "shale/base/testing/env_number.h"

#include <cstdlib>

#include "absl/strings/numbers.h"
#include "shale/base/check.h"

namespace shale {

uint64_t EnvNumber(const char* name, uint64_t otherwise) {
  const char* const given = std::getenv(name);
  if (given == nullptr) return otherwise;
  uint64_t number = 0;
  SHALE_CHECK(absl::SimpleAtoi(given, &number))
      << name << " is no number: " << given;
  return number;
}

}  // namespace shale
