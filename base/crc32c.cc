#include "shale/base/crc32c.h"

#if SHALE_HAVE_ISAL
#include <isa-l/crc.h>

#include <algorithm>
#include <limits>
#else
#include "shale/base/crc32c_table.h"
#endif

namespace shale {

#if SHALE_HAVE_ISAL

uint32_t ExtendCrc32c(uint32_t crc, absl::string_view data) {
  constexpr size_t kMostAtOnce = std::numeric_limits<int>::max();
  uint32_t state = ~crc;
  while (!data.empty()) {
    const size_t length = std::min(data.size(), kMostAtOnce);
    // isa-l only reads the buffer; its parameter merely lacks the const.
    auto* bytes =
        reinterpret_cast<unsigned char*>(const_cast<char*>(data.data()));
    state = crc32_iscsi(bytes, static_cast<int>(length), state);
    data.remove_prefix(length);
  }
  return ~state;
}

#else

uint32_t ExtendCrc32c(uint32_t crc, absl::string_view data) {
  return ExtendCrc32cByTable(crc, data);
}

#endif

}  // namespace shale
