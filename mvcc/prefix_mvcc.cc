#include "shale/mvcc/prefix_mvcc.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"

namespace shale {

PrefixMvcc::PrefixMvcc(const MvccOptions& options, Clock& clock)
    : owner_(options.owner),
      clock_(clock),
      slots_(options.slots, callbacks_),
      pins_(read_point_) {}

void PrefixMvcc::Reserve(absl::AnyInvocable<void()> granted) {
  slots_.Reserve(std::move(granted));
}

void PrefixMvcc::CancelReservation() {
  slots_.CancelReservation();
  callbacks_.Run();
}

absl::StatusOr<BeginResult> PrefixMvcc::Begin(
    int64_t count,
    absl::FunctionRef<absl::StatusOr<Appended>(WriteRange)> append) {
  SHALE_CHECK(count >= 1) << "count " << count;
  absl::MutexLock lock(&mu_);
  const WriteRange range{last_minted_ + 1,
                         last_minted_ + static_cast<uint64_t>(count)};
  absl::StatusOr<Appended> appended = append(range);
  if (!appended.ok()) return std::move(appended).status();
  slots_.Use();
  last_minted_ = range.last;
  queue_.push_back(Entry{.range = range,
                         .durable_at = appended->durable_at,
                         .begun_at = clock_.Monotonic(),
                         .on_visible = {}});
  return BeginResult{range, appended->durable_at};
}

void PrefixMvcc::MarkInserted(WriteRange range) {
  int64_t advanced;
  {
    absl::MutexLock lock(&mu_);
    Entry& entry = FindWrite(range);
    SHALE_CHECK(!entry.inserted) << range.first << " is marked already";
    entry.inserted = true;
    advanced = Advance();
  }
  Settle(advanced);
}

void PrefixMvcc::MarkDurable(LogPosition position) {
  int64_t advanced;
  {
    absl::MutexLock lock(&mu_);
    durable_ = std::max(durable_, position);
    advanced = Advance();
  }
  Settle(advanced);
}

void PrefixMvcc::Complete(WriteRange range) {
  int64_t advanced;
  {
    absl::MutexLock lock(&mu_);
    Entry& entry = FindWrite(range);
    entry.inserted = true;
    entry.durable_at = kLogStart;
    advanced = Advance();
  }
  Settle(advanced);
}

void PrefixMvcc::OnVisible(WriteRange range, absl::AnyInvocable<void()> done) {
  if (!IsVisible(range.last)) {
    absl::MutexLock lock(&mu_);
    if (!IsVisible(range.last)) {
      Find(range.last).on_visible.push_back(std::move(done));
      return;
    }
  }
  done();
}

bool PrefixMvcc::WaitVisible(WriteRange range) {
  for (bool parked = false;; parked = true) {
    const uint32_t round = round_.load(std::memory_order_acquire);
    if (IsVisible(range.last)) return true;
    if (waits_ended_.load(std::memory_order_relaxed)) return false;
    if (!parked) waits_.fetch_add(1, std::memory_order_relaxed);
    round_.wait(round, std::memory_order_relaxed);
    wakes_.fetch_add(1, std::memory_order_relaxed);
  }
}

void PrefixMvcc::EndWaits() {
  waits_ended_.store(true, std::memory_order_relaxed);
  WakeAll();
}

void PrefixMvcc::Barrier(absl::AnyInvocable<void()> done) {
  {
    absl::MutexLock lock(&mu_);
    if (!queue_.empty()) {
      ++barriers_;
      queue_.back().on_visible.push_back(std::move(done));
      return;
    }
  }
  done();
}

WriteNumber PrefixMvcc::ReadPoint() const {
  return {read_point_.load(std::memory_order_acquire)};
}

WriteNumber PrefixMvcc::WritePoint() const {
  absl::MutexLock lock(&mu_);
  return last_minted_;
}

absl::Status PrefixMvcc::AdvanceTo(WriteNumber number) {
  absl::MutexLock lock(&mu_);
  if (!queue_.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat(owner_, ": can't advance to #", number.value, ": ",
                     queue_.size(), " writes are unfinished, the oldest #",
                     queue_.front().range.first.value));
  }
  if (number > last_minted_) {
    last_minted_ = number;
    read_point_.store(number.value, std::memory_order_release);
    ++advances_;
  }
  return absl::OkStatus();
}

std::vector<std::string> PrefixMvcc::StuckWrites(absl::Duration age) const {
  struct Stuck {
    WriteRange range;
    LogPosition durable_at;
    absl::Duration age;
    bool inserted;
  };
  std::vector<Stuck> stuck;
  LogPosition durable;
  {
    absl::MutexLock lock(&mu_);
    const absl::Duration now = clock_.Monotonic();
    durable = durable_;
    for (const Entry& entry : queue_) {
      // Begun in the order of the queue: all that follow are younger.
      if (now - entry.begun_at < age) break;
      stuck.push_back({entry.range, entry.durable_at, now - entry.begun_at,
                       entry.inserted});
    }
  }
  std::vector<std::string> texts;
  for (const Stuck& write : stuck) {
    std::string reason =
        !write.inserted ? "not inserted"
        : write.durable_at > durable
            ? absl::StrCat("inserted, waits for the log to be durable up to @",
                           write.durable_at.value, ", is @", durable.value)
            : absl::StrCat("finished, waits for #",
                           stuck.front().range.first.value);
    texts.push_back(absl::StrCat(owner_, ": write #", write.range.first.value,
                                 "..#", write.range.last.value, ", ",
                                 absl::FormatDuration(write.age),
                                 " old: ", reason));
  }
  return texts;
}

MvccStats PrefixMvcc::stats() const {
  absl::MutexLock lock(&mu_);
  return {.waits = waits_.load(std::memory_order_relaxed),
          .wakes = wakes_.load(std::memory_order_relaxed),
          .advances = advances_,
          .barriers = barriers_};
}

PrefixMvcc::Entry& PrefixMvcc::Find(WriteNumber number) {
  const auto entry = std::lower_bound(
      queue_.begin(), queue_.end(), number,
      [](const Entry& e, WriteNumber n) { return e.range.last < n; });
  SHALE_CHECK(entry != queue_.end() && entry->range.first <= number)
      << number << " is not an unfinished write; read point " << ReadPoint()
      << ", last minted " << last_minted_;
  return *entry;
}

PrefixMvcc::Entry& PrefixMvcc::FindWrite(WriteRange range) {
  Entry& entry = Find(range.last);
  SHALE_CHECK(entry.range == range)
      << range.first << ".." << range.last << " is not the write "
      << entry.range.first << ".." << entry.range.last;
  return entry;
}

int64_t PrefixMvcc::Advance() {
  size_t finished = 0;
  WriteNumber read_point = ReadPoint();
  while (finished < queue_.size() && IsFinished(queue_[finished])) {
    const WriteRange range = queue_[finished].range;
    SHALE_CHECK(range.first == read_point + 1)
        << range.first << " follows " << read_point;
    read_point = range.last;
    ++finished;
  }
  if (finished == 0) return 0;
  // Published before the callbacks are added: another thread may be running
  // callbacks, and would run these at once.
  read_point_.store(read_point.value, std::memory_order_release);
  ++advances_;
  for (size_t i = 0; i < finished; ++i) {
    for (absl::AnyInvocable<void()>& done : queue_.front().on_visible) {
      callbacks_.Add(std::move(done));
    }
    queue_.pop_front();
  }
  return static_cast<int64_t>(finished);
}

void PrefixMvcc::Settle(int64_t advanced) {
  if (advanced == 0) return;
  WakeAll();
  slots_.Free(advanced);
  callbacks_.Run();
}

void PrefixMvcc::WakeAll() {
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

}  // namespace shale
