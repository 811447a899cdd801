#include "shale/mvcc/write_queue.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/base/status_macros.h"
#include "shale/mvcc/mint.h"

namespace shale {

absl::StatusOr<BeginResult> WriteQueue::Begin(
    int64_t count,
    absl::FunctionRef<absl::StatusOr<Appended>(WriteRange)> append,
    absl::Duration now) {
  SHALE_ASSIGN_OR_RETURN(const BeginResult begun,
                         Mint(count, append, last_minted_));
  slots_.Use();
  writes_.push_back(QueuedWrite{.range = begun.range,
                                .durable_at = begun.durable_at,
                                .begun_at = now,
                                .on_visible = {}});
  return begun;
}

void WriteQueue::MarkInserted(WriteRange range) { Mark(range); }

void WriteQueue::MarkDurable(LogPosition position) {
  durable_ = std::max(durable_, position);
}

void WriteQueue::Complete(WriteRange range) {
  Mark(range).durable_at = kLogStart;
}

absl::Status WriteQueue::AdvanceTo(WriteNumber number) {
  if (ReadPoint() < last_minted_) {
    const auto writes =
        size() - std::count_if(writes_.begin(), writes_.end(),
                               std::mem_fn(&QueuedWrite::IsBarrier));
    return UnfinishedWritesError(owner_, number, writes, ReadPoint() + 1);
  }
  if (number > last_minted_) {
    last_minted_ = number;
    read_point_.store(number.value, std::memory_order_release);
    ++advances_;
  }
  return absl::OkStatus();
}

QueuedWrite& WriteQueue::Find(WriteNumber number) {
  const auto write = std::lower_bound(
      writes_.begin(), writes_.end(), number,
      [](const QueuedWrite& w, WriteNumber n) { return w.range.last < n; });
  SHALE_CHECK(write != writes_.end() && write->range.first <= number)
      << number << " is not an unfinished write; read point " << ReadPoint()
      << ", last minted " << last_minted_;
  return *write;
}

QueuedWrite& WriteQueue::Mark(WriteRange range) {
  QueuedWrite& write = Find(range.last);
  SHALE_CHECK(write.range == range)
      << range.first << ".." << range.last << " is not the write "
      << write.range.first << ".." << write.range.last;
  SHALE_CHECK(!write.inserted) << range.first << " is marked already";
  write.inserted = true;
  return write;
}

QueuedWrite& WriteQueue::AddBarrier() {
  writes_.push_back(QueuedWrite{.range = {last_minted_ + 1, last_minted_},
                                .durable_at = kLogStart,
                                .begun_at = absl::ZeroDuration(),
                                .inserted = true,
                                .parked = 1,
                                .on_visible = {}});
  return writes_.back();
}

void WriteQueue::GiveUpBarrier(QueuedWrite& barrier) {
  barrier.parked = 0;
  // Not out of the middle. Those that stay are no more than threads were parked
  // when the write behind them began.
  while (writes_.back().IsBarrier() && writes_.back().parked == 0) {
    writes_.pop_back();
  }
}

int64_t WriteQueue::Leave(int64_t count) {
  WriteNumber read_point = ReadPoint();
  int64_t left = 0;
  for (int64_t i = 0; i < count; ++i) {
    const QueuedWrite& write = at(i);
    if (write.IsBarrier()) continue;
    ++left;
    SHALE_CHECK(IsFinished(write)) << write.range.first << " is unfinished";
    SHALE_CHECK(write.range.first == read_point + 1)
        << write.range.first << " follows " << read_point;
    read_point = write.range.last;
  }
  // Published before the callbacks are added: another thread may be running
  // callbacks, and would run these at once.
  read_point_.store(read_point.value, std::memory_order_release);
  if (left > 0) ++advances_;
  for (int64_t i = 0; i < count; ++i) {
    for (absl::AnyInvocable<void()>& done : writes_.front().on_visible) {
      callbacks_.Add(std::move(done));
    }
    writes_.pop_front();
  }
  return left;
}

std::vector<StuckWrite> WriteQueue::Stuck(absl::Duration age,
                                          absl::Duration now) const {
  std::vector<StuckWrite> stuck;
  for (const QueuedWrite& write : writes_) {
    if (write.IsBarrier()) continue;
    // Begun in the order of the queue: all that follow are younger.
    if (now - write.begun_at < age) break;
    stuck.push_back(
        {write.range, write.durable_at, now - write.begun_at, write.inserted});
  }
  return stuck;
}

}  // namespace shale
