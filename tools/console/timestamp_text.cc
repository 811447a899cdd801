#include "shale/tools/console/timestamp_text.h"

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"

namespace shale {

std::string TimestampText(Timestamp timestamp) {
  const absl::TimeZone utc = absl::UTCTimeZone();
  const absl::Time time = absl::FromUnixMicros(timestamp);
  const absl::civil_year_t year = absl::ToCivilYear(time, utc).year();
  if (year < 2000 || year >= 2200) return absl::StrCat(timestamp);
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E6SZ", time, utc);
}

absl::StatusOr<Timestamp> ParseTimestamp(absl::string_view text) {
  Timestamp timestamp;
  absl::Time time;
  std::string why;
  if (!absl::SimpleAtoi(text, &timestamp)) {
    if (!absl::ParseTime(absl::RFC3339_full, text, &time, &why)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "\"", text,
          "\" is neither microseconds since 1970 nor a time such as "
          "2020-09-13T12:26:40Z"));
    }
    timestamp = absl::ToUnixMicros(time);
  }
  if (timestamp < kMinTimestamp) {
    return absl::InvalidArgumentError(
        absl::StrCat("timestamp \"", text, "\" is before 1970"));
  }
  if (timestamp == kLatestTimestamp) {
    return absl::InvalidArgumentError(
        absl::StrCat("timestamp \"", text, "\" is too late; the last is ",
                     kLatestTimestamp - 1));
  }
  return timestamp;
}

}  // namespace shale
