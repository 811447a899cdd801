// CRC32C in portable C++, for machines without isa-l and as its twin in tests.
#ifndef SHALE_BASE_CRC32C_TABLE_H_
#define SHALE_BASE_CRC32C_TABLE_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// As ExtendCrc32c in crc32c.h. Eight bytes a step, by eight tables ("slicing
// by eight": Kounavis and Berry, 2005). Pure.
uint32_t ExtendCrc32cByTable(uint32_t crc, absl::string_view data);

}  // namespace shale

#endif  // SHALE_BASE_CRC32C_TABLE_H_
