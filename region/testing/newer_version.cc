#include "shale/region/testing/newer_version.h"

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"

namespace shale {
namespace {

constexpr size_t kMagicBytes = 8;
constexpr size_t kCrcBytes = 4;
// Of the formats, as their pages in docs/formats/ have them.
constexpr size_t kStoreFileFooterBytes = 62;
constexpr size_t kStoreFileVersionFromEnd = 16;
constexpr size_t kMetaObjectCrcAt = 12;
constexpr size_t kMetaObjectBytesAt = 28;

// The checksum at `at` becomes that of the bytes from `begin` to there.
void SetCrc(std::string& bytes, size_t begin, size_t at) {
  EncodeFixed32(bytes.data() + at,
                Crc32c(absl::string_view(bytes).substr(begin, at - begin)));
}

}  // namespace

std::string NewerSegment(std::string bytes) {
  ++bytes[kMagicBytes];
  SetCrc(bytes, 0, kMagicBytes + 4);
  return bytes;
}

std::string NewerStoreFile(std::string bytes) {
  ++bytes[kMagicBytes];
  SetCrc(bytes, 0, kMagicBytes + 4);
  ++bytes[bytes.size() - kStoreFileVersionFromEnd];
  SetCrc(bytes, bytes.size() - kStoreFileFooterBytes, bytes.size() - kCrcBytes);
  return bytes;
}

std::string NewerMetaObject(std::string bytes) {
  ++bytes[kMagicBytes];  // No checksum is over it.
  return bytes;
}

std::string NewerMetadata(std::string bytes) {
  ++bytes[kMetaObjectBytesAt + kMagicBytes];
  SetCrc(bytes, kMetaObjectBytesAt, bytes.size() - kCrcBytes);
  EncodeFixed32(
      bytes.data() + kMetaObjectCrcAt,
      Crc32c(absl::string_view(bytes).substr(kMetaObjectCrcAt + kCrcBytes)));
  return bytes;
}

}  // namespace shale
