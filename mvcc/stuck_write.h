#ifndef SHALE_MVCC_STUCK_WRITE_H_
#define SHALE_MVCC_STUCK_WRITE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "shale/cell/log_position.h"
#include "shale/cell/write_number.h"

namespace shale {

// What is known of a write that should be visible by now. Copied out under a
// lock, or in spite of having none, and put into words without one.
struct StuckWrite {
  WriteRange range;
  LogPosition durable_at;  // What it asked for.
  absl::Duration age;
  bool inserted = false;
};

// Mvcc::StuckWrites: a text for each of `writes`, which are in the order of
// their numbers. The log is durable up to `durable`.
std::vector<std::string> DescribeStuckWrites(
    absl::string_view owner, absl::Span<const StuckWrite> writes,
    LogPosition durable);

// Why AdvanceTo(`number`) is refused: `writes` are unfinished, the oldest of
// which begins at `oldest`.
absl::Status UnfinishedWritesError(absl::string_view owner, WriteNumber number,
                                   int64_t writes, WriteNumber oldest);

}  // namespace shale

#endif  // SHALE_MVCC_STUCK_WRITE_H_
