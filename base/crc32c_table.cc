#include "shale/base/crc32c_table.h"

#include <array>
#include <cstddef>

#include "shale/base/coding.h"

namespace shale {
namespace {

constexpr uint32_t kReflectedPolynomial = 0x82f63b78;

using Tables = std::array<std::array<uint32_t, 256>, 8>;

// tables[k][b] is the effect of byte b followed by k zero bytes.
constexpr Tables MakeTables() {
  Tables tables = {};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ (crc & 1 ? kReflectedPolynomial : 0);
    }
    tables[0][b] = crc;
  }
  for (size_t k = 1; k < tables.size(); ++k) {
    for (uint32_t b = 0; b < 256; ++b) {
      const uint32_t shorter = tables[k - 1][b];
      tables[k][b] = (shorter >> 8) ^ tables[0][shorter & 0xff];
    }
  }
  return tables;
}

constexpr Tables kTables = MakeTables();

}  // namespace

uint32_t ExtendCrc32cByTable(uint32_t crc, absl::string_view data) {
  uint32_t state = ~crc;
  while (data.size() >= 8) {
    const uint32_t low = DecodeFixed32(data.data()) ^ state;
    const uint32_t high = DecodeFixed32(data.data() + 4);
    state = 0;
    for (int i = 0; i < 4; ++i) {
      state ^= kTables[7 - i][(low >> (8 * i)) & 0xff];
      state ^= kTables[3 - i][(high >> (8 * i)) & 0xff];
    }
    data.remove_prefix(8);
  }
  for (const char c : data) {
    state = (state >> 8) ^ kTables[0][(state ^ static_cast<uint8_t>(c)) & 0xff];
  }
  return ~state;
}

}  // namespace shale
