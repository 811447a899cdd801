// Any two byte strings that parse as keys encode to themselves and compare as
// the cells that they stand for.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "shale/base/check.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_key.h"

namespace shale {
namespace {

bool ParsesToItself(absl::string_view key, CellView* cell) {
  if (!ParseCellKey(key, cell)) return false;
  std::string encoded;
  AppendCellKey(*cell, &encoded);
  SHALE_CHECK(encoded == key);
  return true;
}

int Sign(int order) { return (order > 0) - (order < 0); }

void Test(absl::string_view a, absl::string_view b) {
  CellView a_cell, b_cell;
  if (!ParsesToItself(a, &a_cell) || !ParsesToItself(b, &b_cell)) return;
  SHALE_CHECK(Sign(CompareCellKeys(a, b)) ==
              Sign(CompareCells(a_cell, b_cell)));
  SHALE_CHECK(Sign(CompareCellKeys(b, a)) == -Sign(CompareCellKeys(a, b)));
}

}  // namespace
}  // namespace shale

// The first byte says where the first key ends and the second begins.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view input(reinterpret_cast<const char*>(data), size);
  if (input.empty()) return 0;
  const absl::string_view keys = input.substr(1);
  const size_t split = keys.empty() ? 0 : data[0] % (keys.size() + 1);
  shale::Test(keys.substr(0, split), keys.substr(split));
  return 0;
}
