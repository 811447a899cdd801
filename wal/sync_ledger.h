#ifndef SHALE_WAL_SYNC_LEDGER_H_
#define SHALE_WAL_SYNC_LEDGER_H_

#include <cstdint>
#include <deque>

#include "shale/cell/log_position.h"
#include "shale/wal/wal.h"

namespace shale {

// The syncs of one segment that are under way. They may end in any order, but
// count in the order in which they were begun: an error is reported once, to
// whichever sync meets it, so a sync that succeeded proves nothing before all
// earlier ones have. Not thread-safe.
class SyncLedger {
 public:
  // Names a sync; they count up from 0.
  using Ticket = uint64_t;

  // Nothing but `data` and `full` is known to be durable yet.
  SyncLedger(LogPosition data, LogPosition full)
      : begun_data_(data), begun_full_(full), data_(data), full_(full) {}

  // A sync of everything up to `position` begins.
  Ticket Begin(LogPosition position, SyncLevel level);
  // It has succeeded.
  void End(Ticket ticket);

  // Up to where syncs at a level have begun, whether or not they have ended.
  LogPosition begun(SyncLevel level) const {
    return level == SyncLevel::kFull ? begun_full_ : begun_data_;
  }

  // Durable at a level by the syncs that count.
  LogPosition durable(SyncLevel level) const {
    return level == SyncLevel::kFull ? full_ : data_;
  }

 private:
  struct Sync {
    LogPosition position;
    SyncLevel level;
    bool ended;
  };

  LogPosition begun_data_;
  LogPosition begun_full_;
  LogPosition data_;
  LogPosition full_;
  Ticket first_ = 0;  // Of syncs_.front().
  std::deque<Sync> syncs_;
};

}  // namespace shale

#endif  // SHALE_WAL_SYNC_LEDGER_H_
