#include "shale/region/envelope.h"

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"

namespace shale {
namespace {

constexpr size_t kVersionAt = 8;
constexpr size_t kHeaderBytes = kVersionAt + 4;

}  // namespace

std::string Seal(uint64_t magic, uint32_t version, absl::string_view body) {
  std::string bytes;
  bytes.reserve(kHeaderBytes + body.size() + 4);
  PutFixed64(&bytes, magic);
  PutFixed32(&bytes, version);
  bytes.append(body.data(), body.size());
  PutFixed32(&bytes, Crc32c(bytes));
  return bytes;
}

absl::StatusOr<Sealed> Unseal(const MetaObject& object, uint64_t magic,
                              uint32_t newest_version) {
  const absl::string_view bytes = object.bytes;
  if (bytes.size() < kHeaderBytes + 4) {
    return absl::DataLossError(absl::StrFormat(
        "%s: object at offset %d has %d bytes, want at least %d", object.file,
        object.file_offset, bytes.size(), kHeaderBytes + 4));
  }
  const uint64_t got_magic = DecodeFixed64(bytes.data());
  if (got_magic != magic) {
    return absl::DataLossError(
        absl::StrFormat("%s: magic at offset %d is %#018x, want %#018x",
                        object.file, object.file_offset, got_magic, magic));
  }
  const absl::string_view sealed = bytes.substr(0, bytes.size() - 4);
  const uint32_t got = DecodeFixed32(bytes.data() + sealed.size());
  const uint32_t want = Crc32c(sealed);
  if (got != want) {
    return absl::DataLossError(absl::StrFormat(
        "%s: crc32c at offset %d is %#010x, want %#010x (length %d)",
        object.file, object.file_offset + sealed.size(), got, want,
        sealed.size()));
  }
  // After the checksum, so that a damaged version isn't taken for a newer one.
  const uint32_t version = DecodeFixed32(bytes.data() + kVersionAt);
  if (version < 1 || version > newest_version) {
    return absl::FailedPreconditionError(absl::StrFormat(
        "%s: format version at offset %d is %d, this build reads 1 to %d",
        object.file, object.file_offset + kVersionAt, version, newest_version));
  }
  return Sealed{version, sealed.substr(kHeaderBytes)};
}

uint64_t FileOffset(const MetaObject& object, size_t body_offset) {
  return object.file_offset + kHeaderBytes + body_offset;
}

}  // namespace shale
