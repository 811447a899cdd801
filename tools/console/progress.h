#ifndef SHALE_TOOLS_CONSOLE_PROGRESS_H_
#define SHALE_TOOLS_CONSOLE_PROGRESS_H_

#include <cstdint>
#include <ostream>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"

namespace shale {

// Tells people how far long work is: on a terminal a bar that is drawn again
// ten times a second and gone at the end, elsewhere a plain line every five
// seconds, so that short work prints nothing into a log. Not thread-safe.
//
//   import [==========>         ]  52 %  18,204 lines, 91,020 lines/s, 0:01
//   left
class Progress {
 public:
  // `total` is what `done` will come to; 0: unknown, then there is no bar.
  // `terminal_columns` is the width of the terminal that `out` is, 0 if it is
  // none. `unit` is what items are, in the plural. `out`, `clock` outlive this.
  Progress(std::ostream& out, int terminal_columns, Clock& clock,
           absl::string_view label, absl::string_view unit, uint64_t total);
  // Clears the bar.
  ~Progress();

  // `done` towards `total`, and how many items that were; `note`, if there is
  // one, is told in the place of rate and time left. Cheap when it is not time
  // to print.
  void Update(uint64_t done, uint64_t items, absl::string_view note = "");

  absl::Duration elapsed() const { return clock_.Monotonic() - start_; }

 private:
  std::string Text(uint64_t done, uint64_t items, absl::string_view note) const;

  std::ostream& out_;
  const int columns_;
  Clock& clock_;
  const std::string label_;
  const std::string unit_;
  const uint64_t total_;
  const absl::Duration start_;
  absl::Duration next_print_;
  bool drawn_ = false;
};

// Items in a second, rounded; 0 if no time has passed.
uint64_t RatePerSecond(uint64_t items, absl::Duration elapsed);

// "0.4 s", "1:05", "2:00:05".
std::string ElapsedText(absl::Duration elapsed);

}  // namespace shale

#endif  // SHALE_TOOLS_CONSOLE_PROGRESS_H_
