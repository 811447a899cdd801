// A list that decodes encodes to a list that decodes to the same cells.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/check.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_list_codec.h"
#include "shale/cell/tags.h"
#include "shale/cell/write_number.h"

namespace shale {
namespace {

constexpr WriteNumber kBase{1000};

std::optional<std::vector<Cell>> Decode(absl::string_view bytes) {
  std::vector<Cell> cells;
  CellListReader reader(bytes, kBase);
  for (;;) {
    const absl::StatusOr<const CellView*> cell = reader.Next();
    if (!cell.ok()) return std::nullopt;
    if (*cell == nullptr) return cells;
    cells.emplace_back(**cell);
  }
}

void TestTags(absl::string_view tags) {
  const absl::StatusOr<TagList> list = ParseTags(tags);
  if (!list.ok()) return;
  std::string encoded;
  for (const Tag& tag : *list) AppendTag(tag, &encoded);
  SHALE_CHECK(encoded == tags);
}

void Test(absl::string_view bytes) {
  const std::optional<std::vector<Cell>> cells = Decode(bytes);
  if (!cells.has_value()) return;
  std::vector<CellView> views;
  for (const Cell& cell : *cells) {
    views.push_back(cell.view());
    TestTags(cell.tags);
  }
  std::string encoded;
  AppendCellList(views, kBase, &encoded);
  SHALE_CHECK(encoded.size() == CellListBytes(views, kBase));
  SHALE_CHECK(encoded.size() <= bytes.size());
  SHALE_CHECK(Decode(encoded) == cells);
}

}  // namespace
}  // namespace shale

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  shale::Test(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
