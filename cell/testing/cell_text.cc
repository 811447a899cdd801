#include "shale/cell/testing/cell_text.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "shale/base/check.h"
#include "shale/base/escape.h"
#include "shale/cell/cell_key.h"

namespace shale {
namespace {

constexpr std::pair<absl::string_view, CellKind> kKinds[] = {
    {"put", CellKind::kPut},
    {"del", CellKind::kDelete},
    {"delcol", CellKind::kDeleteColumn},
    {"delfam", CellKind::kDeleteFamily},
    {"delfamver", CellKind::kDeleteFamilyVersion},
};

// Takes what is before `separator` off the front of `*text`.
absl::string_view Take(absl::string_view separator, absl::string_view* text) {
  const size_t end = text->find(separator);
  SHALE_CHECK(end != absl::string_view::npos)
      << "no '" << separator << "' in '" << *text << "'";
  const absl::string_view taken = text->substr(0, end);
  text->remove_prefix(end + separator.size());
  return taken;
}

std::string Unescape(absl::string_view text) {
  absl::StatusOr<std::string> bytes = UnescapeBytes(text);
  SHALE_CHECK_OK(bytes);
  return *std::move(bytes);
}

template <typename T>
T ToNumber(absl::string_view text) {
  T number = 0;
  SHALE_CHECK(absl::SimpleAtoi(text, &number)) << "'" << text << "'";
  return number;
}

std::string Escape(absl::string_view bytes) {
  constexpr absl::string_view kSeparators = "/:@#, ";
  std::string text;
  for (const char c : EscapeBytes(bytes)) {
    if (absl::StrContains(kSeparators, c)) {
      absl::StrAppend(&text, "\\x", absl::Hex(c, absl::kZeroPad2));
    } else {
      text.push_back(c);
    }
  }
  return text;
}

}  // namespace

Cell ParseCellText(absl::string_view text) {
  Cell cell;
  cell.row = Unescape(Take("/", &text));
  cell.family = Unescape(Take(":", &text));
  cell.qualifier = Unescape(Take("@", &text));
  cell.timestamp = ToNumber<Timestamp>(Take("#", &text));
  cell.number.value = ToNumber<uint64_t>(Take(" ", &text));
  const std::pair<absl::string_view, absl::string_view> kind_and_value =
      absl::StrSplit(text, absl::MaxSplits(' ', 1));
  const auto* kind = std::find_if(
      std::begin(kKinds), std::end(kKinds),
      [&](const auto& k) { return k.first == kind_and_value.first; });
  SHALE_CHECK(kind != std::end(kKinds)) << "kind '" << text << "'";
  cell.kind = kind->second;
  cell.value = Unescape(kind_and_value.second);
  return cell;
}

std::vector<Cell> ParseCellsText(absl::string_view text) {
  std::vector<Cell> cells;
  for (absl::string_view one : absl::StrSplit(text, ", ", absl::SkipEmpty())) {
    cells.push_back(ParseCellText(one));
  }
  return cells;
}

std::string CellText(const CellView& cell) {
  const auto* kind =
      std::find_if(std::begin(kKinds), std::end(kKinds),
                   [&](const auto& k) { return k.second == cell.kind; });
  SHALE_CHECK(kind != std::end(kKinds)) << DebugString(cell);
  return absl::StrCat(Escape(cell.row), "/", Escape(cell.family), ":",
                      Escape(cell.qualifier), "@", cell.timestamp, "#",
                      cell.number.value, " ", kind->first,
                      cell.value.empty() ? "" : " ", Escape(cell.value));
}

std::string CellsText(absl::Span<const Cell> cells) {
  return absl::StrJoin(cells, ", ", [](std::string* out, const Cell& cell) {
    out->append(CellText(cell.view()));
  });
}

std::vector<Cell> Sorted(std::vector<Cell> cells) {
  std::stable_sort(cells.begin(), cells.end(),
                   [](const Cell& a, const Cell& b) {
                     if (a.row == b.row && a.family != b.family)
                       return a.family < b.family;
                     return CompareCells(a.view(), b.view()) < 0;
                   });
  return cells;
}

}  // namespace shale
