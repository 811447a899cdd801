#ifndef SHALE_MVCC_MVCC_VARIANTS_H_
#define SHALE_MVCC_MVCC_VARIANTS_H_

#include <memory>

#include "absl/types/span.h"
#include "shale/base/clock.h"
#include "shale/mvcc/mvcc.h"

namespace shale {

// One variant of the seam, under the name that --//mvcc:completion gives it.
struct MvccVariant {
  const char* name;
  std::unique_ptr<Mvcc> (*create)(const MvccOptions& options, Clock& clock);
};

// All of them, for code that compares them in one process: tests, benchmarks,
// tools.
absl::Span<const MvccVariant> MvccVariants();

}  // namespace shale

#endif  // SHALE_MVCC_MVCC_VARIANTS_H_
