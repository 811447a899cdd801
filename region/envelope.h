#ifndef SHALE_REGION_ENVELOPE_H_
#define SHALE_REGION_ENVELOPE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// The frame that the region's metadata objects share:
//
//   envelope := magic:u64 version:u32 body crc:u32 (CRC32C of all before)
std::string Seal(uint64_t magic, uint32_t version, absl::string_view body);

// The body, valid as long as `bytes`. `name` is the object's, for messages.
// DATA_LOSS for a short object, another magic or a checksum that doesn't match;
// FAILED_PRECONDITION for a version above `newest_version`.
absl::StatusOr<absl::string_view> Unseal(absl::string_view name,
                                         absl::string_view bytes,
                                         uint64_t magic,
                                         uint32_t newest_version);

// Bytes before the body; an offset in the body plus this is one in the object.
inline constexpr size_t kEnvelopeHeaderBytes = 12;

}  // namespace shale

#endif  // SHALE_REGION_ENVELOPE_H_
