#ifndef SHALE_FILTER_RETENTION_RULES_H_
#define SHALE_FILTER_RETENTION_RULES_H_

#include <limits>

#include "absl/time/time.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// Which puts a delete marker masks, among those that its kind and timestamp
// match (cell_kind.h).
enum class DeleteRule {
  // Those written before it, and those with its own number. No read's answer
  // depends on whether a flush or compaction has run.
  kSequence,
  // All, also those written after it, for as long as the marker is stored:
  // HBase's classic rule.
  kTimestamp,
};

inline constexpr int kAllVersions = std::numeric_limits<int>::max();

// What a column family keeps. docs/deletes-and-versions.md has the whole model.
struct RetentionRules {
  // Each column keeps the puts of its newest timestamps, this many. Range
  // [1, kAllVersions].
  int max_versions = 1;
  // Of those, the newest ones that a time to live can't hide. Range
  // [0, kAllVersions].
  int min_versions = 0;
  // A cell is expired, and hidden, when its timestamp < now - ttl. Positive.
  absl::Duration ttl = absl::InfiniteDuration();
  DeleteRule delete_rule = DeleteRule::kSequence;
};

}  // namespace shale

#endif  // SHALE_FILTER_RETENTION_RULES_H_
