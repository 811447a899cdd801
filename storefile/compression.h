#ifndef SHALE_STOREFILE_COMPRESSION_H_
#define SHALE_STOREFILE_COMPRESSION_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// How a block's bytes are stored. The codes are on disk.
enum class Compression : uint8_t {
  kNone = 0,
  kLz4 = 1,
  kZstd = 2,
  kSnappy = 3
};

// False for any byte that is no code, as read from a damaged file.
constexpr bool IsCompression(uint8_t code) { return code <= 3; }

// False where the codec's library was missing at build time.
bool IsAvailable(Compression compression);

// "none", "lz4", "zstd", "snappy".
absl::string_view CompressionName(Compression compression);

}  // namespace shale

#endif  // SHALE_STOREFILE_COMPRESSION_H_
