// Timestamps as people write them.
#ifndef SHALE_TOOLS_CONSOLE_TIMESTAMP_TEXT_H_
#define SHALE_TOOLS_CONSOLE_TIMESTAMP_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/cell/timestamp.h"

namespace shale {

// "2020-09-13T12:26:40.000000Z" from the year 2000 to 2199, which no hand-made
// version number is likely to hit; otherwise the number. ParseTimestamp takes
// either back.
std::string TimestampText(Timestamp timestamp);

// Microseconds since the epoch, or a date and time of RFC 3339.
// INVALID_ARGUMENT for anything else, for a negative number, for a date before
// 1970 and for kLatestTimestamp, which to the region means none at all.
absl::StatusOr<Timestamp> ParseTimestamp(absl::string_view text);

}  // namespace shale

#endif  // SHALE_TOOLS_CONSOLE_TIMESTAMP_TEXT_H_
