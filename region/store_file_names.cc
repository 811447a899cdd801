#include "shale/region/store_file_names.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"

namespace shale {
namespace {

constexpr size_t kEpochDigits = 16;
constexpr size_t kCounterDigits = 8;

bool IsHex(absl::string_view text) {
  for (const char c : text) {
    if (!absl::ascii_isxdigit(c)) return false;
  }
  return true;
}

}  // namespace

std::optional<uint64_t> StoreFileNames::EpochOf(absl::string_view name) {
  uint64_t epoch = 0;
  if (!absl::ConsumeSuffix(&name, ".store") ||
      name.size() != kEpochDigits + 1 + kCounterDigits ||
      name[kEpochDigits] != '-' || !IsHex(name.substr(kEpochDigits + 1)) ||
      !IsHex(name.substr(0, kEpochDigits)) ||
      !absl::SimpleHexAtoi(name.substr(0, kEpochDigits), &epoch)) {
    return std::nullopt;
  }
  return epoch;
}

}  // namespace shale
