#include "shale/tools/shale/flags.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gflags/gflags.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/tools/console/timestamp_text.h"

DEFINE_string(dir, "", "directory that the regions are in");
DEFINE_string(
    region, "",
    "the region's name; may be left out if there is just one; a new one "
    "is then called default");

DEFINE_string(columns, "",
              "columns, separated by commas: FAMILY:QUALIFIER or FAMILY; for "
              "import, one for each field of a line");
DEFINE_string(separator, "\\t",
              "the byte between two fields, perhaps escaped as \\x1f");
DEFINE_int64(skip_lines, 0, "lines to skip at the beginning, such as a header");
DEFINE_int64(max_bad_lines, 0,
             "bad lines to leave out before the import fails");
DEFINE_int64(batch, 1000, "lines that share one sync of the log");
DEFINE_string(durability, "sync",
              "when a write counts as done: skip (no log), async, sync (on the "
              "device) or fsync (and its metadata)");
DEFINE_string(timestamp, "",
              "the cells' version, as microseconds since 1970 or as "
              "2020-09-13T12:26:40Z; by default the time of the write");
DEFINE_bool(exact, false,
            "delete only the version at exactly --timestamp, not all up to it");

DEFINE_string(start, "", "first row; by default the region's first");
DEFINE_string(stop, "", "row to stop before; by default after the last");
DEFINE_int64(limit, 0, "most rows to print; 0 for all");
DEFINE_int32(versions, 1, "most versions of a column, newest first");
DEFINE_string(min_timestamp, "", "oldest version to read, as in --timestamp");
DEFINE_string(max_timestamp, "",
              "read versions before this one, as in --timestamp");

DEFINE_string(start_row, "", "the region's first row; empty: no limit");
DEFINE_string(end_row, "", "row that the region ends before; empty: no limit");
DEFINE_bool(metrics, false,
            "print the metrics instead, in Prometheus' text format");
DEFINE_bool(records, false, "print the records");
DEFINE_bool(blocks, false, "print the blocks");
DEFINE_bool(cells, false, "print the cells");

namespace shale {
namespace {

absl::StatusOr<Timestamp> Parse(absl::string_view flag, const std::string& text,
                                Timestamp if_empty) {
  if (text.empty()) return if_empty;
  absl::StatusOr<Timestamp> timestamp = ParseTimestamp(text);
  if (timestamp.ok()) return timestamp;
  return Annotate(timestamp.status(), absl::StrCat("--", flag));
}

}  // namespace

absl::StatusOr<Timestamp> TimestampFromFlags() {
  return Parse("timestamp", FLAGS_timestamp, kLatestTimestamp);
}

absl::StatusOr<TimeRange> TimeRangeFromFlags() {
  TimeRange range;
  SHALE_ASSIGN_OR_RETURN(
      range.min, Parse("min_timestamp", FLAGS_min_timestamp, kMinTimestamp));
  SHALE_ASSIGN_OR_RETURN(
      range.max, Parse("max_timestamp", FLAGS_max_timestamp, kMaxTimestamp));
  if (range.min >= range.max) {
    return absl::InvalidArgumentError(
        absl::StrCat("no timestamp is at or after --min_timestamp ", range.min,
                     " and before --max_timestamp ", range.max));
  }
  return range;
}

absl::StatusOr<Durability> DurabilityFromFlags() {
  constexpr struct {
    absl::string_view name;
    Durability durability;
  } kLevels[] = {{"skip", Durability::kSkipWal},
                 {"async", Durability::kAsyncWal},
                 {"sync", Durability::kSyncWal},
                 {"fsync", Durability::kFsyncWal}};
  for (const auto& [name, durability] : kLevels) {
    if (FLAGS_durability == name) return durability;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--durability: \"", FLAGS_durability,
                   "\" is neither skip, async, sync nor fsync"));
}

}  // namespace shale
