#ifndef SHALE_REGION_INCREMENT_VARIANTS_H_
#define SHALE_REGION_INCREMENT_VARIANTS_H_

#include <memory>

#include "absl/types/span.h"
#include "shale/region/increment_protocol.h"

namespace shale {

// One variant of the seam, under the name that --//region:increment gives it.
struct IncrementVariant {
  const char* name;
  std::unique_ptr<IncrementProtocol> (*create)();
};

// All of them, for code that compares them in one process: tests, benchmarks,
// tools.
absl::Span<const IncrementVariant> IncrementVariants();

}  // namespace shale

#endif  // SHALE_REGION_INCREMENT_VARIANTS_H_
