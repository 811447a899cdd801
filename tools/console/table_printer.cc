#include "shale/tools/console/table_printer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "shale/base/check.h"

namespace shale {
namespace {

constexpr absl::string_view kGap = "  ";

std::string Spaced(absl::string_view name) {
  return absl::StrReplaceAll(name, {{"_", " "}});
}

std::vector<std::string> TextsOf(const std::vector<PrintedValue>& values) {
  std::vector<std::string> texts;
  for (const PrintedValue& value : values) texts.push_back(ForPeople(value));
  return texts;
}

}  // namespace

void TablePrinter::BeginTable(std::vector<std::string> columns,
                              std::vector<NamedValue> common) {
  common_ = std::move(common);
  header_.clear();
  for (const std::string& column : columns) {
    header_.push_back(absl::AsciiStrToUpper(Spaced(column)));
  }
  held_.clear();
  holding_ = true;
}

void TablePrinter::Row(std::vector<PrintedValue> values) {
  SHALE_CHECK(values.size() == header_.size()) << "a value for each column";
  if (!holding_) return PrintLine(TextsOf(values));
  held_.push_back(std::move(values));
  if (held_.size() == window_) PrintHeld();
}

void TablePrinter::EndTable() {
  if (holding_ && !held_.empty()) PrintHeld();
  holding_ = false;
}

void TablePrinter::PrintHeld() {
  holding_ = false;
  widths_.clear();
  right_aligned_.clear();
  for (size_t i = 0; i < header_.size(); ++i) {
    size_t width = header_[i].size();
    for (const auto& row : held_) {
      width = std::max(width, ForPeople(row[i]).size());
    }
    widths_.push_back(width);
    right_aligned_.push_back(std::all_of(
        held_.begin(), held_.end(), [i](const std::vector<PrintedValue>& row) {
          return IsNumber(row[i]) ||
                 std::holds_alternative<std::monostate>(row[i]);
        }));
  }
  Record(common_);
  PrintLine(header_);
  for (const auto& row : held_) PrintLine(TextsOf(row));
  held_.clear();
}

void TablePrinter::PrintLine(const std::vector<std::string>& texts) {
  std::string line;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) line += kGap;
    const size_t padding = widths_[i] - std::min(widths_[i], texts[i].size());
    if (right_aligned_[i]) line.append(padding, ' ');
    line += texts[i];
    if (!right_aligned_[i]) line.append(padding, ' ');
  }
  out_ << absl::StripTrailingAsciiWhitespace(line) << '\n';
}

void TablePrinter::Record(const std::vector<NamedValue>& properties) {
  size_t width = 0;
  for (const NamedValue& property : properties) {
    width = std::max(width, property.name.size());
  }
  for (const NamedValue& property : properties) {
    std::string line = Spaced(property.name);
    line.append(width - line.size(), ' ');
    absl::StrAppend(&line, kGap, ForPeople(property.value));
    out_ << absl::StripTrailingAsciiWhitespace(line) << '\n';
  }
}

void TablePrinter::Summary(absl::string_view sentence,
                           const std::vector<NamedValue>&) {
  Note(sentence);
}

void TablePrinter::Note(absl::string_view text) { out_ << text << '\n'; }

}  // namespace shale
