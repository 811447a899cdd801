#ifndef SHALE_WAL_PENDING_RECORD_H_
#define SHALE_WAL_PENDING_RECORD_H_

#include <string>

#include "shale/cell/log_position.h"

namespace shale {

// An entry that is not known to be durable, encoded; stamped when it is
// written.
struct PendingRecord {
  std::string bytes;
  LogPosition end;  // Just after it.
};

}  // namespace shale

#endif  // SHALE_WAL_PENDING_RECORD_H_
