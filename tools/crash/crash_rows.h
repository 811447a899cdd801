// What crash_writer writes and crash_test expects to find.
#ifndef SHALE_TOOLS_CRASH_CRASH_ROWS_H_
#define SHALE_TOOLS_CRASH_CRASH_ROWS_H_

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "shale/base/cxx_standard.h"

namespace shale {

inline constexpr char kCrashRegion[] = "crash";
inline constexpr char kCrashFamily[] = "f";
inline constexpr int kCrashThreads = 8;

// One write that was acknowledged: the `count`th of a thread in a life.
// Written to the pipe whole, in native byte order.
struct CrashAck {
  uint32_t thread = 0;
  uint32_t count = 0;
};

// A thread of a life makes its writes one after the other. The nth, from 1, is
// one atomic batch: the row of that number, two cells of the same value, and
// the thread's "last" row, which says n.
inline std::string CrashThreadPrefix(int life, int thread) {
  return absl::StrFormat("r%04d/t%d/", life, thread);
}
inline std::string CrashRow(int life, int thread, uint32_t count) {
  return absl::StrFormat("%s%06d", CrashThreadPrefix(life, thread), count);
}
inline std::string CrashLastRow(int life, int thread) {
  return absl::StrCat(CrashThreadPrefix(life, thread), "last");
}
// Of a length that differs from row to row.
inline std::string CrashValue(int life, int thread, uint32_t count) {
  const std::string row = CrashRow(life, thread, count);
  return absl::StrCat(row, ":", std::string(count * 37 % 300, 'x'));
}

}  // namespace shale

#endif  // SHALE_TOOLS_CRASH_CRASH_ROWS_H_
