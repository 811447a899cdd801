// Universally unique identifiers, RFC 4122 version 4.
#ifndef SHALE_BASE_UUID_H_
#define SHALE_BASE_UUID_H_

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/random.h"

namespace shale {

// 16 bytes; all zero by default, which Generate never returns. Ordered as its
// bytes, hashable by abseil.
struct Uuid {
  static constexpr size_t kBytes = 16;

  // A random one: from `random`, or from the operating system's generator.
  static Uuid Generate(Random& random);
  static Uuid Generate();

  // Reads what ToString writes, in either case. INVALID_ARGUMENT otherwise.
  static absl::StatusOr<Uuid> Parse(absl::string_view text);

  // 36 characters: 8-4-4-4-12 lower-case hexadecimal digits.
  std::string ToString() const;

  auto operator<=>(const Uuid&) const = default;

  template <typename H>
  friend H AbslHashValue(H state, const Uuid& uuid) {
    return H::combine(std::move(state), uuid.bytes);
  }

  std::array<uint8_t, kBytes> bytes = {};
};

}  // namespace shale

#endif  // SHALE_BASE_UUID_H_
