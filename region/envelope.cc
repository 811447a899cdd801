#include "shale/region/envelope.h"

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"

namespace shale {

std::string Seal(uint64_t magic, uint32_t version, absl::string_view body) {
  std::string bytes;
  bytes.reserve(kEnvelopeHeaderBytes + body.size() + 4);
  PutFixed64(&bytes, magic);
  PutFixed32(&bytes, version);
  bytes.append(body.data(), body.size());
  PutFixed32(&bytes, Crc32c(bytes));
  return bytes;
}

absl::StatusOr<absl::string_view> Unseal(absl::string_view name,
                                         absl::string_view bytes,
                                         uint64_t magic,
                                         uint32_t newest_version) {
  if (bytes.size() < kEnvelopeHeaderBytes + 4) {
    return absl::DataLossError(
        absl::StrFormat("%s: %d bytes at offset 0, want at least %d", name,
                        bytes.size(), kEnvelopeHeaderBytes + 4));
  }
  const uint64_t got_magic = DecodeFixed64(bytes.data());
  if (got_magic != magic) {
    return absl::DataLossError(
        absl::StrFormat("%s: magic at offset 0 is %#018x, want %#018x", name,
                        got_magic, magic));
  }
  const absl::string_view sealed = bytes.substr(0, bytes.size() - 4);
  const uint32_t got = DecodeFixed32(bytes.data() + sealed.size());
  const uint32_t want = Crc32c(sealed);
  if (got != want) {
    return absl::DataLossError(absl::StrFormat(
        "%s: crc32c at offset %d is %#010x, want %#010x (length %d)", name,
        sealed.size(), got, want, sealed.size()));
  }
  // After the checksum, so that a damaged version isn't taken for a newer one.
  const uint32_t version = DecodeFixed32(bytes.data() + 8);
  if (version < 1 || version > newest_version) {
    return absl::FailedPreconditionError(
        absl::StrFormat("%s: format version %d, this build reads 1 to %d", name,
                        version, newest_version));
  }
  return sealed.substr(kEnvelopeHeaderBytes);
}

}  // namespace shale
