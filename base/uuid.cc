#include "shale/base/uuid.h"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/base/escape.h"

namespace shale {
namespace {

constexpr size_t kTextBytes = 36;

bool IsDashPosition(size_t i) {
  return i == 8 || i == 13 || i == 18 || i == 23;
}

// Marks random bytes as version 4, variant 1.
Uuid Marked(Uuid uuid) {
  uuid.bytes[6] = (uuid.bytes[6] & 0x0f) | 0x40;
  uuid.bytes[8] = (uuid.bytes[8] & 0x3f) | 0x80;
  return uuid;
}

}  // namespace

Uuid Uuid::Generate(Random& random) {
  const std::string bytes = random.Bytes(kBytes);
  Uuid uuid;
  std::copy(bytes.begin(), bytes.end(), uuid.bytes.begin());
  return Marked(uuid);
}

Uuid Uuid::Generate() {
  Uuid uuid;
  // So few bytes are never cut short by a signal: see getrandom(2).
  SHALE_CHECK(getrandom(uuid.bytes.data(), kBytes, 0) == kBytes)
      << std::strerror(errno);
  return Marked(uuid);
}

absl::StatusOr<Uuid> Uuid::Parse(absl::string_view text) {
  const auto error = [text](absl::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrCat("uuid \"", EscapeBytes(text), "\": ", what));
  };
  if (text.size() != kTextBytes) {
    return error(absl::StrCat(text.size(), " characters, want ", kTextBytes));
  }
  std::string digits;
  for (size_t i = 0; i < kTextBytes; ++i) {
    const bool fits =
        IsDashPosition(i) ? text[i] == '-' : absl::ascii_isxdigit(text[i]);
    if (!fits) return error(absl::StrCat("bad character in column ", i + 1));
    if (text[i] != '-') digits += text[i];
  }
  const std::string bytes = absl::HexStringToBytes(digits);
  Uuid uuid;
  std::copy(bytes.begin(), bytes.end(), uuid.bytes.begin());
  return uuid;
}

std::string Uuid::ToString() const {
  std::string text = absl::BytesToHexString(absl::string_view(
      reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  for (const size_t dash : {8, 13, 18, 23}) text.insert(dash, 1, '-');
  return text;
}

}  // namespace shale
