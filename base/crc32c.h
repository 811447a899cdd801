// CRC32C (Castagnoli), the checksum of RFC 3720 (iSCSI): polynomial
// 0x1edc6f41, reflected, initial value and final inversion all ones. Computed
// by isa-l where its library is installed, else by crc32c_table.h. Pure.
#ifndef SHALE_BASE_CRC32C_H_
#define SHALE_BASE_CRC32C_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// The checksum of A followed by `data`, where `crc` is the checksum of A.
uint32_t ExtendCrc32c(uint32_t crc, absl::string_view data);

// The checksum of `data`; 0 for no data.
inline uint32_t Crc32c(absl::string_view data) { return ExtendCrc32c(0, data); }

}  // namespace shale

#endif  // SHALE_BASE_CRC32C_H_
