#ifndef SHALE_REGION_ENVELOPE_H_
#define SHALE_REGION_ENVELOPE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/filesystem/file_system.h"

namespace shale {

// The frame that the region's metadata objects share:
//
//   envelope := magic:u64 version:u32 body crc:u32 (CRC32C of all before)
std::string Seal(uint64_t magic, uint32_t version, absl::string_view body);

struct Sealed {
  uint32_t version = 0;
  absl::string_view body;
};

// The body, valid as long as `object`, and its version. DATA_LOSS naming file
// and offset for a short object, another magic or a checksum that doesn't
// match; FAILED_PRECONDITION for a version above `newest_version`.
absl::StatusOr<Sealed> Unseal(const MetaObject& object, uint64_t magic,
                              uint32_t newest_version);

// Where in its file a byte of the object's body lies, for messages.
uint64_t FileOffset(const MetaObject& object, size_t body_offset);

}  // namespace shale

#endif  // SHALE_REGION_ENVELOPE_H_
