#ifndef SHALE_REGION_TESTING_MIXED_LEVELS_ROW_H_
#define SHALE_REGION_TESTING_MIXED_LEVELS_ROW_H_

#include <atomic>
#include <cstdint>

#include "absl/status/status.h"
#include "shale/region/mutation_batch.h"
#include "shale/region/region.h"

namespace shale {

// A row that is counted up at any level of durability, so that what is logged
// builds on what was not. The log holds sums: after a crash the counter must be
// no smaller than the last one that was acknowledged as durable, and no larger
// than what was tried; and its other columns, one in another family, must be as
// that same count left them. Thread-safe but for Check.
class MixedLevelsRow {
 public:
  absl::Status Count(Region& region, Durability durability);

  // The largest count that was answered so far, durable or not.
  int64_t answered() const { return answered_; }
  // Counts up to here survive every crash from here on.
  void Acknowledge(int64_t count) { Raise(acknowledged_, count); }

  // DATA_LOSS if the row is not as some count that may be there leaves it.
  // Otherwise goes on from there, as LedgerWriter::Check.
  absl::Status Check(const Region& region);

 private:
  static void Raise(std::atomic<int64_t>& to, int64_t count);

  // Sequentially consistent: whoever learns of a count knows it to be begun.
  std::atomic<int64_t> begun_ = 0;
  std::atomic<int64_t> answered_ = 0;
  std::atomic<int64_t> acknowledged_ = 0;
};

}  // namespace shale

#endif  // SHALE_REGION_TESTING_MIXED_LEVELS_ROW_H_
