#include "shale/base/escape.h"

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace shale {
namespace {

int HexValue(char c) {
  if (absl::ascii_isdigit(c)) return c - '0';
  return absl::ascii_tolower(c) - 'a' + 10;
}

}  // namespace

std::string EscapeBytes(absl::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char c : bytes) {
    if (c == '\\') {
      text += "\\\\";
    } else if (absl::ascii_isprint(c)) {
      text += c;
    } else {
      absl::StrAppend(&text, "\\x",
                      absl::Hex(static_cast<uint8_t>(c), absl::kZeroPad2));
    }
  }
  return text;
}

absl::StatusOr<std::string> UnescapeBytes(absl::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const absl::string_view rest = text.substr(i);
    if (rest[0] != '\\') {
      bytes += rest[0];
      i += 1;
    } else if (rest.size() >= 2 && rest[1] == '\\') {
      bytes += '\\';
      i += 2;
    } else if (rest.size() >= 4 && rest[1] == 'x' &&
               absl::ascii_isxdigit(rest[2]) && absl::ascii_isxdigit(rest[3])) {
      bytes += static_cast<char>(HexValue(rest[2]) * 16 + HexValue(rest[3]));
      i += 4;
    } else {
      return absl::InvalidArgumentError(absl::StrCat(
          "column ", i + 1, ": escape \"", EscapeBytes(rest.substr(0, 4)),
          "\" is neither \\\\ nor \\xNN"));
    }
  }
  return bytes;
}

}  // namespace shale
