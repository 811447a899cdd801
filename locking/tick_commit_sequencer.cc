#include "shale/locking/tick_commit_sequencer.h"

#include <algorithm>
#include <utility>

#include "absl/hash/hash.h"
#include "absl/numeric/bits.h"
#include "shale/base/check.h"
#include "shale/cell/wall_timestamp.h"

namespace shale {

// The shards of some rows, locked. The analysis of clang can't follow locks
// that are chosen by a hash: what uses this class does without.
class TickCommitSequencer::LockedShards {
 public:
  LockedShards(Shards& shards, absl::Span<const absl::string_view> rows)
      ABSL_NO_THREAD_SAFETY_ANALYSIS : shards_(shards) {
    for (absl::string_view row : rows) {
      set_ |= uint32_t{1} << IndexOf(absl::HashOf(row));
    }
    for (Shard& shard : *this) shard.mu.Lock();
  }
  ~LockedShards() ABSL_NO_THREAD_SAFETY_ANALYSIS {
    for (Shard& shard : *this) shard.mu.Unlock();
  }
  LockedShards(const LockedShards&) = delete;
  LockedShards& operator=(const LockedShards&) = delete;

  // By the high bits; the table of a shard goes by the low ones.
  Shard& Of(uint64_t hash) const { return shards_[IndexOf(hash)]; }

  // Over the locked ones, ascending.
  class Iterator {
   public:
    Iterator(Shards& shards, uint32_t left) : shards_(shards), left_(left) {}
    Shard& operator*() const { return shards_[absl::countr_zero(left_)]; }
    Iterator& operator++() {
      left_ &= left_ - 1;
      return *this;
    }
    bool operator!=(const Iterator& other) const {
      return left_ != other.left_;
    }

   private:
    Shards& shards_;
    uint32_t left_;
  };
  Iterator begin() const { return {shards_, set_}; }
  Iterator end() const { return {shards_, 0}; }

 private:
  static int IndexOf(uint64_t hash) { return static_cast<int>(hash >> 59); }

  Shards& shards_;
  uint32_t set_ = 0;  // A bit for each.
};

TickCommitSequencer::TickCommitSequencer(Clock& clock, Executor& executor,
                                         absl::Duration tick)
    : clock_(clock), executor_(executor), tick_(tick) {
  SHALE_CHECK(tick > absl::ZeroDuration()) << tick;
}

TickCommitSequencer::~TickCommitSequencer() {
  absl::MutexLock lock(&mu_);
  SHALE_CHECK(waiting_.empty()) << waiting_.size() << " commits wait";
  mu_.Await(absl::Condition(
      +[](int64_t* tasks) { return *tasks == 0; }, &timer_tasks_));
}

void TickCommitSequencer::Shard::BeginTick(int64_t tick) {
  if (tick == rows.tick()) return;
  rows.BeginTick(tick);
  least = TimestampAfter(newest);
}

void TickCommitSequencer::Shard::Raise(Timestamp timestamp) {
  newest = std::max(newest, timestamp);
  least = std::max(least, TimestampAfter(timestamp));
}

void TickCommitSequencer::Assign(absl::Span<const absl::string_view> rows,
                                 absl::AnyInvocable<void(Timestamp)> done) {
  int64_t next_tick = kNoTick;
  if (const auto timestamp = TryAssign(rows, next_tick)) {
    done(*timestamp);
    return;
  }
  absl::MutexLock lock(&mu_);
  ++yields_;
  waiting_.push_back({.rows = rows, .done = std::move(done)});
  next_tick_ = std::min(next_tick_, next_tick);
  if (!timer_set_) SetTimer();
}

std::optional<Timestamp> TickCommitSequencer::TryAssign(
    absl::Span<const absl::string_view> rows,
    int64_t& next_tick) ABSL_NO_THREAD_SAFETY_ANALYSIS {
  const LockedShards locked(shards_, rows);
  // Read under the locks: none of the shards has seen a later tick.
  const int64_t tick = TickNumber(clock_.Monotonic(), tick_);
  Timestamp timestamp = WallTimestamp(clock_);
  for (Shard& shard : locked) {
    shard.BeginTick(tick);
    timestamp = std::max(timestamp, shard.least);
  }
  for (absl::string_view row : rows) {
    const uint64_t hash = absl::HashOf(row);
    if (locked.Of(hash).rows.Contains(hash)) {
      next_tick = tick + 1;
      return std::nullopt;
    }
  }
  for (absl::string_view row : rows) {
    const uint64_t hash = absl::HashOf(row);
    locked.Of(hash).rows.Add(hash);
  }
  for (Shard& shard : locked) {
    shard.newest = std::max(shard.newest, timestamp);
  }
  return timestamp;
}

void TickCommitSequencer::SetTimer() {
  timer_set_ = true;
  ++timer_tasks_;
  executor_.ScheduleAt(next_tick_ * tick_, [this] { OnTimer(); });
}

void TickCommitSequencer::OnTimer() {
  std::list<Waiter> due;
  {
    absl::MutexLock lock(&mu_);
    due.swap(waiting_);
    next_tick_ = kNoTick;
  }
  std::list<Waiter> assigned;
  int64_t next_tick = kNoTick;
  for (auto next = due.begin(); next != due.end();) {
    const auto waiter = next++;
    int64_t again = kNoTick;
    if (const auto timestamp = TryAssign(waiter->rows, again)) {
      waiter->timestamp = *timestamp;
      assigned.splice(assigned.end(), due, waiter);
    } else {
      next_tick = std::min(next_tick, again);
    }
  }
  {
    absl::MutexLock lock(&mu_);
    // Before those that have come meanwhile.
    waiting_.splice(waiting_.begin(), due);
    next_tick_ = std::min(next_tick_, next_tick);
    timer_set_ = false;
    if (!waiting_.empty()) SetTimer();
  }
  for (Waiter& waiter : assigned) {
    // No lock is held: it may give rows back, whose next commits come here.
    waiter.done(waiter.timestamp);
  }
  absl::MutexLock lock(&mu_);
  --timer_tasks_;
}

Timestamp TickCommitSequencer::floor() const {
  Timestamp floor = kMinTimestamp;
  for (const Shard& shard : shards_) {
    absl::MutexLock lock(&shard.mu);
    floor = std::max(floor, shard.newest);
  }
  return floor;
}

void TickCommitSequencer::RaiseFloor(Timestamp floor) {
  for (Shard& shard : shards_) {
    absl::MutexLock lock(&shard.mu);
    shard.Raise(floor);
  }
}

// Of the tick, too: one that began since Assign, by another row of the shard,
// may give these rows their next timestamp.
void TickCommitSequencer::Raise(absl::Span<const absl::string_view> rows,
                                Timestamp timestamp)
    ABSL_NO_THREAD_SAFETY_ANALYSIS {
  const LockedShards locked(shards_, rows);
  for (Shard& shard : locked) shard.Raise(timestamp);
}

RowCommitSequencerStats TickCommitSequencer::stats() const {
  RowCommitSequencerStats stats;
  stats.run_ahead = AheadOfWall(floor(), clock_);
  absl::MutexLock lock(&mu_);
  stats.yields = yields_;
  return stats;
}

}  // namespace shale
