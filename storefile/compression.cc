#include "shale/storefile/compression.h"

namespace shale {

absl::string_view CompressionName(Compression compression) {
  switch (compression) {
    case Compression::kNone:
      return "none";
    case Compression::kLz4:
      return "lz4";
    case Compression::kZstd:
      return "zstd";
    case Compression::kSnappy:
      return "snappy";
  }
  return "unknown";
}

bool IsAvailable(Compression compression) {
  switch (compression) {
    case Compression::kNone:
      return true;
    case Compression::kLz4:
      return SHALE_HAVE_LZ4;
    case Compression::kZstd:
      return SHALE_HAVE_ZSTD;
    case Compression::kSnappy:
      return SHALE_HAVE_SNAPPY;
  }
  return false;
}

}  // namespace shale
