#ifndef SHALE_REGION_TESTING_MODEL_SCRIPT_H_
#define SHALE_REGION_TESTING_MODEL_SCRIPT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "shale/filter/retention_rules.h"
#include "shale/region/column_family.h"
#include "shale/region/mutation_batch.h"
#include "shale/region/read_request.h"
#include "shale/region/region_options.h"

namespace shale {

// One step of a random script against a region.
struct ModelStep {
  enum class Kind {
    kApply,
    kGet,
    kScan,
    kOpenScanner,    // Begins `scan` and reads a part of it.
    kFinishScanner,  // Reads the rest.
    kAdvance,        // The clock, by `advance`.
    kFlush,
    kCompact,
    kReopen,  // After a clean close. An open scanner is dropped before.
    kDropScanner,
    kCrash,  // After `batch`, a write at SYNC_WAL; as kReopen.
  };
  Kind kind = Kind::kAdvance;
  MutationBatch batch = {};
  Get get = {};
  Scan scan = {};
  absl::Duration advance = absl::ZeroDuration();

  // How many operations it counts as: a batch one for each mutation; what asks
  // nothing of the region (the clock, the end of a scanner) none.
  size_t operations() const;
  std::string ToString() const;
};

// A region's schema and what is done to it, all from one seed: few rows,
// columns and timestamps, so that everything meets everything.
struct ModelScript {
  RegionSchema schema;
  RegionOptions options;
  // Where the clock begins. Explicit timestamps are around the time at which
  // they are written.
  absl::Time start;
  std::vector<ModelStep> steps;

  size_t operations() const;
  // The steps with these indices alone, in order.
  ModelScript Keep(const std::vector<size_t>& indices) const;
  // The schema, then the steps, one a line.
  std::string ToString() const;
};

struct ModelScriptOptions {
  // Of all families; otherwise each has one of its own.
  std::optional<DeleteRule> delete_rule;
  // Families with min_versions too.
  bool min_versions = true;
  size_t steps = 400;
};

ModelScript MakeModelScript(uint64_t seed, const ModelScriptOptions& options);

// `script` with steps that do nothing in the place of flushes, compactions and
// clean reopening (which flushes).
ModelScript WithoutMaintenance(const ModelScript& script);

}  // namespace shale

#endif  // SHALE_REGION_TESTING_MODEL_SCRIPT_H_
