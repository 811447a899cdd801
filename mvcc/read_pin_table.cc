#include "shale/mvcc/read_pin_table.h"

#include "shale/base/check.h"

namespace shale {

ReadPinTable::~ReadPinTable() {
  absl::MutexLock lock(&mu_);
  SHALE_CHECK(pins_.empty())
      << "read points are pinned, the oldest at " << pins_.begin()->first;
}

ReadPin ReadPinTable::Pin() {
  absl::MutexLock lock(&mu_);
  const WriteNumber read_point = ReadPoint();
  ++pins_[read_point];
  return ReadPin(this, read_point);
}

WriteNumber ReadPinTable::SmallestPinned() const {
  absl::MutexLock lock(&mu_);
  return pins_.empty() ? ReadPoint() : pins_.begin()->first;
}

void ReadPinTable::Unpin(WriteNumber read_point) {
  absl::MutexLock lock(&mu_);
  const auto pin = pins_.find(read_point);
  SHALE_CHECK(pin != pins_.end()) << "nothing is pinned at " << read_point;
  if (--pin->second == 0) pins_.erase(pin);
}

}  // namespace shale
