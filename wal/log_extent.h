#ifndef SHALE_WAL_LOG_EXTENT_H_
#define SHALE_WAL_LOG_EXTENT_H_

#include <cstdint>
#include <string>

#include "shale/cell/log_position.h"

namespace shale {

// Which part of a log its files hold.
struct LogExtent {
  // Of the newest complete generation; 0: there is none.
  uint64_t epoch = 0;
  // Where that begins. What was needed of an earlier one is all in this.
  LogPosition generation_start;
  // What is left of it. What lies before `first` is there no more because
  // nobody needed it; what was there behind `end` the log itself can't tell.
  LogPosition first;
  LogPosition end;
  // The file that the end lies in, and where.
  std::string last_segment;
  uint64_t end_offset = 0;

  // Where the log ends, as the beginning of an error.
  std::string DescribeEnd() const;
};

}  // namespace shale

#endif  // SHALE_WAL_LOG_EXTENT_H_
