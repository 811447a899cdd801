#include "shale/cell/cell.h"

#include "absl/strings/str_cat.h"
#include "shale/base/escape.h"

namespace shale {

Cell::Cell(const CellView& view)
    : row(view.row),
      family(view.family),
      qualifier(view.qualifier),
      timestamp(view.timestamp),
      kind(view.kind),
      number(view.number),
      value(view.value),
      tags(view.tags) {}

CellView Cell::view() const {
  return CellView{.row = row,
                  .family = family,
                  .qualifier = qualifier,
                  .timestamp = timestamp,
                  .kind = kind,
                  .number = number,
                  .value = value,
                  .tags = tags};
}

std::string DebugString(const CellView& cell) {
  std::string text =
      absl::StrCat(EscapeBytes(cell.row), "/", EscapeBytes(cell.family), ":",
                   EscapeBytes(cell.qualifier), "@", cell.timestamp, "#",
                   cell.number.value, " ", CellKindName(cell.kind));
  if (!cell.value.empty()) {
    absl::StrAppend(&text, " ", EscapeBytes(cell.value));
  }
  return text;
}

}  // namespace shale
