#include "shale/wal/sync_ledger.h"

#include <algorithm>

#include "shale/base/check.h"

namespace shale {

SyncLedger::Ticket SyncLedger::Begin(LogPosition position, SyncLevel level) {
  begun_data_ = std::max(begun_data_, position);
  if (level == SyncLevel::kFull) begun_full_ = std::max(begun_full_, position);
  syncs_.push_back({position, level, /*ended=*/false});
  return first_ + syncs_.size() - 1;
}

void SyncLedger::End(Ticket ticket) {
  SHALE_CHECK(ticket >= first_ && ticket - first_ < syncs_.size() &&
              !syncs_[ticket - first_].ended)
      << ticket;
  syncs_[ticket - first_].ended = true;
  for (; !syncs_.empty() && syncs_.front().ended; ++first_) {
    const Sync& sync = syncs_.front();
    data_ = std::max(data_, sync.position);
    if (sync.level == SyncLevel::kFull) full_ = std::max(full_, sync.position);
    syncs_.pop_front();
  }
}

}  // namespace shale
