#ifndef SHALE_TOOLS_CONSOLE_PRINTED_VALUE_H_
#define SHALE_TOOLS_CONSOLE_PRINTED_VALUE_H_

#include <cstdint>
#include <string>
#include <variant>

#include "absl/strings/string_view.h"
#include "shale/cell/timestamp.h"

namespace shale {

// A number of things: "34,924" for people.
struct Count {
  uint64_t count = 0;
};
// A size: "12.3 MiB" for people, bytes for programs.
struct ByteSize {
  uint64_t bytes = 0;
};
// A measured number, which people see with that many digits after the point.
struct Decimal {
  double value = 0;
  int digits = 2;
};
// A cell's version: a date for people, microseconds for programs.
struct Moment {
  Timestamp timestamp = 0;
};

// One value that a command prints; monostate is nothing. A string is printed as
// it is: bytes that users made go through EscapeBytes() first.
using PrintedValue = std::variant<std::monostate, std::string, bool, Count,
                                  Decimal, ByteSize, Moment>;

std::string ForPeople(const PrintedValue& value);

// Whether a column of such values is aligned to the right.
bool IsNumber(const PrintedValue& value);

// "34,924".
std::string WithSeparators(uint64_t count);

// "1 row", "34,924 rows".
std::string CountOf(uint64_t count, absl::string_view singular);

// "512 B", "12.3 MiB".
std::string SizeText(uint64_t bytes);

}  // namespace shale

#endif  // SHALE_TOOLS_CONSOLE_PRINTED_VALUE_H_
