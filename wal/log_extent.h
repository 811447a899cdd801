#ifndef SHALE_WAL_LOG_EXTENT_H_
#define SHALE_WAL_LOG_EXTENT_H_

#include "shale/cell/log_position.h"

namespace shale {

// Which part of a log its files hold.
struct LogExtent {
  // Where the newest complete generation begins. What was needed of an earlier
  // one is all in this.
  LogPosition generation_start;
  // What is left of that generation.
  LogPosition first;
  LogPosition end;

  // Whether the log still has what somebody needs from `needed` on, as a
  // region's manifest says.
  bool Covers(LogPosition needed) const {
    return needed < generation_start || needed >= first;
  }
};

}  // namespace shale

#endif  // SHALE_WAL_LOG_EXTENT_H_
