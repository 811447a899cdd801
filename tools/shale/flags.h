// The tool's gflags. A command understands those that its table entry names;
// what they say is checked in the Parse functions here or by the command.
#ifndef SHALE_TOOLS_SHALE_FLAGS_H_
#define SHALE_TOOLS_SHALE_FLAGS_H_

#include "absl/status/statusor.h"
#include "gflags/gflags_declare.h"
#include "shale/cell/timestamp.h"
#include "shale/region/mutation_batch.h"

DECLARE_string(dir);
DECLARE_string(region);

DECLARE_string(columns);
DECLARE_string(separator);
DECLARE_int64(skip_lines);
DECLARE_int64(max_bad_lines);
DECLARE_int64(batch);
DECLARE_string(durability);
DECLARE_string(timestamp);
DECLARE_bool(exact);

DECLARE_string(start);
DECLARE_string(stop);
DECLARE_int64(limit);
DECLARE_int32(versions);
DECLARE_string(min_timestamp);
DECLARE_string(max_timestamp);

DECLARE_string(start_row);
DECLARE_string(end_row);
DECLARE_bool(metrics);
DECLARE_bool(records);
DECLARE_bool(blocks);
DECLARE_bool(cells);

namespace shale {

// The name of a region that is made without --region.
inline constexpr char kDefaultRegion[] = "default";

// --timestamp; kLatestTimestamp if it isn't given. INVALID_ARGUMENT.
absl::StatusOr<Timestamp> TimestampFromFlags();

// --min_timestamp and --max_timestamp. INVALID_ARGUMENT, also for an empty
// range.
absl::StatusOr<TimeRange> TimeRangeFromFlags();

// --durability. INVALID_ARGUMENT.
absl::StatusOr<Durability> DurabilityFromFlags();

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_FLAGS_H_
