#include "shale/tools/console/progress.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "shale/tools/console/printed_value.h"

namespace shale {
namespace {

constexpr absl::Duration kRedraw = absl::Milliseconds(100);
constexpr absl::Duration kPlainLine = absl::Seconds(5);
constexpr int kBarColumns = 20;
// Back to the line's start, and erase what is there (ECMA-48).
constexpr absl::string_view kClearLine = "\r\x1b[K";

std::string Bar(double fraction) {
  const int full = static_cast<int>(fraction * kBarColumns);
  std::string bar(full, '=');
  if (full < kBarColumns) bar += '>';
  bar.resize(kBarColumns, ' ');
  return absl::StrCat("[", bar, "]");
}

}  // namespace

Progress::Progress(std::ostream& out, int terminal_columns, Clock& clock,
                   absl::string_view label, absl::string_view unit,
                   uint64_t total)
    : out_(out),
      columns_(terminal_columns),
      clock_(clock),
      label_(label),
      unit_(unit),
      total_(total),
      start_(clock.Monotonic()),
      next_print_(start_ + (columns_ > 0 ? kRedraw : kPlainLine)) {}

Progress::~Progress() {
  if (drawn_) out_ << kClearLine << std::flush;
}

void Progress::Update(uint64_t done, uint64_t items, absl::string_view note) {
  const absl::Duration now = clock_.Monotonic();
  if (now < next_print_) return;
  std::string text = Text(done, items, note);
  if (columns_ > 0) {
    // A line that wraps could not be erased.
    text.resize(std::min(text.size(), static_cast<size_t>(columns_ - 1)));
    out_ << kClearLine << text << std::flush;
    drawn_ = true;
    next_print_ = now + kRedraw;
  } else {
    out_ << text << '\n' << std::flush;
    next_print_ = now + kPlainLine;
  }
}

std::string Progress::Text(uint64_t done, uint64_t items,
                           absl::string_view note) const {
  const absl::Duration spent = elapsed();
  std::string text = label_;
  if (total_ > 0) {
    const double fraction =
        std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
    if (columns_ > 0) absl::StrAppend(&text, " ", Bar(fraction));
    absl::StrAppendFormat(&text, " %3d %%", static_cast<int>(fraction * 100));
  }
  absl::StrAppend(&text, "  ", WithSeparators(items), " ", unit_, ", ");
  if (!note.empty()) return absl::StrCat(text, note);
  absl::StrAppend(&text, WithSeparators(RatePerSecond(items, spent)), " ",
                  unit_, "/s");
  if (total_ > 0 && done > 0 && done < total_) {
    const double left = static_cast<double>(total_ - done) / done;
    absl::StrAppend(&text, ", ", ElapsedText(spent * left), " left");
  }
  return text;
}

uint64_t RatePerSecond(uint64_t items, absl::Duration elapsed) {
  const double seconds = absl::ToDoubleSeconds(elapsed);
  if (seconds <= 0) return 0;
  return static_cast<uint64_t>(static_cast<double>(items) / seconds + 0.5);
}

std::string ElapsedText(absl::Duration elapsed) {
  if (elapsed < absl::Seconds(10)) {
    return absl::StrFormat("%.1f s", absl::ToDoubleSeconds(elapsed));
  }
  const int64_t seconds = absl::ToInt64Seconds(elapsed);
  if (seconds < 3600) {
    return absl::StrFormat("%d:%02d", seconds / 60, seconds % 60);
  }
  return absl::StrFormat("%d:%02d:%02d", seconds / 3600, seconds / 60 % 60,
                         seconds % 60);
}

}  // namespace shale
