// RowLockTable against a naive twin that keeps everything in plain lists and
// searches them, over seeded operations in one thread.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/test_seed.h"
#include "shale/locking/row_lock_table.h"

namespace shale {
namespace {

using RowSet = std::set<std::string>;

// The twin. Whatever happens is told in `events`.
class NaiveLocks {
 public:
  explicit NaiveLocks(int max_bypass) : max_bypass_(max_bypass) {}

  void Acquire(int id, const RowSet& rows, LockMode mode, uint64_t owner,
               absl::Duration deadline) {
    requests_[id] = {rows, mode, owner, deadline};
    CarryOn(id);
  }
  bool TryAcquire(int id, const RowSet& rows, LockMode mode, uint64_t owner) {
    requests_[id] = {rows, mode, owner};
    for (const std::string& row : rows) {
      if (Take(id, row) == kGranted) continue;
      End(id);
      return false;
    }
    return true;
  }
  void GiveBack(int id) { End(id); }
  void Cancel(int id) {
    if (IsWaiting(id)) Fail({id}, "cancelled");
  }
  void AdvanceTo(absl::Duration now) {
    now_ = now;
    std::vector<int> expired;
    for (const auto& [id, request] : requests_) {
      if (IsWaiting(id) && request.deadline <= now) expired.push_back(id);
    }
    Fail(expired, "expired");
  }

  bool IsWaiting(int id) const {
    return std::any_of(waiting_.begin(), waiting_.end(), [id](const auto& row) {
      return std::any_of(row.second.begin(), row.second.end(),
                         [id](const Waiting& w) { return w.id == id; });
    });
  }
  bool OwnerIsWaiting(uint64_t owner) const {
    return std::any_of(requests_.begin(), requests_.end(), [&](const auto& r) {
      return r.second.owner == owner && IsWaiting(r.first);
    });
  }
  int64_t rows() const {
    RowSet rows;
    for (const auto& [id, request] : requests_) {
      rows.insert(request.rows.begin(), request.rows.end());
    }
    return static_cast<int64_t>(rows.size());
  }
  const std::vector<std::string>& events() const { return events_; }

 private:
  struct Request {
    RowSet rows;
    LockMode mode;
    uint64_t owner;
    absl::Duration deadline = absl::InfiniteDuration();
    RowSet held = {};
    std::string fate = "";  // Why it fails.
  };
  struct Waiting {
    int id;
    int overtaken = 0;  // Of this one alone, counted one by one.
  };
  enum Answer { kGranted, kMustWait, kDeadlock };

  bool Holds(const std::string& row, uint64_t owner, bool exclusive) const {
    return std::any_of(requests_.begin(), requests_.end(), [&](const auto& r) {
      return r.second.owner == owner && r.second.held.count(row) > 0 &&
             (!exclusive || r.second.mode == LockMode::kExclusive);
    });
  }
  bool OthersHold(const std::string& row, uint64_t owner,
                  bool exclusive) const {
    return std::any_of(requests_.begin(), requests_.end(), [&](const auto& r) {
      return r.second.owner != owner && Holds(row, r.second.owner, exclusive);
    });
  }
  bool HasRoom(const Request& request, const std::string& row) const {
    if (Holds(row, request.owner, true)) return true;
    if (request.mode == LockMode::kShared && Holds(row, request.owner, false)) {
      return true;
    }
    return !OthersHold(row, request.owner, request.mode == LockMode::kShared);
  }

  Answer Take(int id, const std::string& row) {
    Request& request = requests_[id];
    std::list<Waiting>& waiting = waiting_[row];
    const bool holds = Holds(row, request.owner, false);
    if (!HasRoom(request, row)) {
      for (const Waiting& other : waiting) {
        if (holds && Holds(row, requests_[other.id].owner, false)) {
          return kDeadlock;
        }
      }
      return kMustWait;
    }
    if (!holds) {
      for (const Waiting& other : waiting) {
        if (other.overtaken >= max_bypass_) return kMustWait;
      }
      for (Waiting& other : waiting) ++other.overtaken;
    }
    request.held.insert(row);
    return kGranted;
  }

  // Goes on with a request that isn't in a queue.
  void CarryOn(int id) {
    Request& request = requests_[id];
    for (const std::string& row : request.rows) {
      if (request.fate.empty() && request.held.count(row) > 0) continue;
      if (request.fate.empty()) {
        const Answer answer = Take(id, row);
        if (answer == kGranted) continue;
        if (answer == kMustWait && request.deadline > now_) {
          std::list<Waiting>& waiting = waiting_[row];
          const bool upgrade = Holds(row, request.owner, false);
          waiting.insert(upgrade ? waiting.begin() : waiting.end(), {id});
          return;
        }
        request.fate = answer == kDeadlock ? "deadlock" : "expired";
      }
      const std::string fate = request.fate;
      End(id);
      events_.push_back(absl::StrCat(id, " ", fate));
      return;
    }
    events_.push_back(absl::StrCat(id, " granted"));
  }

  // Takes the request away with all that it holds.
  void End(int id) {
    const RowSet held = requests_[id].held;
    requests_.erase(id);
    for (const std::string& row : held) GrantWaiting(row);
    CarryOnReady();
  }
  // Takes requests out of their queues, in the order of `ids`.
  void Fail(const std::vector<int>& ids, const char* fate) {
    std::vector<std::string> rows;
    for (const int id : ids) {
      requests_[id].fate = fate;
      for (auto& [row, waiting] : waiting_) {
        const auto is_it = [id](const Waiting& w) { return w.id == id; };
        if (waiting.remove_if(is_it) > 0) rows.push_back(row);
      }
      ready_.push_back(id);
    }
    for (const std::string& row : rows) GrantWaiting(row);
    CarryOnReady();
  }
  void GrantWaiting(const std::string& row) {
    std::list<Waiting>& waiting = waiting_[row];
    while (!waiting.empty() && HasRoom(requests_[waiting.front().id], row)) {
      requests_[waiting.front().id].held.insert(row);
      ready_.push_back(waiting.front().id);
      waiting.pop_front();
    }
  }
  void CarryOnReady() {
    if (std::exchange(carrying_on_, true)) return;
    for (; !ready_.empty(); ready_.pop_front()) CarryOn(ready_.front());
    carrying_on_ = false;
  }

  absl::Duration now_;
  std::list<int> ready_;
  bool carrying_on_ = false;
  const int max_bypass_;
  std::map<int, Request> requests_;  // That wait or hold.
  std::map<std::string, std::list<Waiting>> waiting_;
  std::vector<std::string> events_;
};

// Applies one random operation after the other to both and compares.
class Script {
 public:
  Script(const RowLockOptions& options, bool deadlines, uint64_t seed)
      : random_(seed),
        deadlines_(deadlines),
        executor_(clock_, random_.Next()),
        table_(options, clock_, executor_),
        naive_(static_cast<int>(options.max_bypass)) {}

  void Step() {
    switch (random_.Uniform(10)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return Acquire();
      case 4:
        return TryAcquire();
      case 5:
      case 6:
      case 7:
        return GiveBack();
      case 8:
        return Cancel();
      default:
        return Advance();
    }
  }

  void Compare() {
    // What was compared before can't have changed.
    const std::vector<std::string>& expected = naive_.events();
    ASSERT_EQ(events_.size(), expected.size());
    for (; compared_ < events_.size(); ++compared_) {
      ASSERT_EQ(events_[compared_], expected[compared_]);
    }
    ASSERT_EQ(table_.stats().rows, naive_.rows());
  }

  void Finish() {
    while (!locks_.empty()) GiveBack();
    Compare();
    ASSERT_EQ(table_.stats().rows, 0) << "everybody was served";
  }

 private:
  static constexpr uint64_t kOwners = 16;
  static constexpr uint64_t kRows = 5;

  // An owner that may ask, or zero.
  uint64_t PickOwner() {
    const uint64_t owner = 1 + random_.Uniform(kOwners);
    return naive_.OwnerIsWaiting(owner) ? 0 : owner;
  }
  void PickRows() {
    rows_.clear();
    for (uint64_t n = 1 + random_.Uniform(3); n > 0; --n) {
      rows_.insert(absl::StrCat("row", random_.Uniform(kRows)));
    }
    mode_ = random_.OneIn(3) ? LockMode::kExclusive : LockMode::kShared;
  }
  std::vector<absl::string_view> Shuffled() {
    std::vector<absl::string_view> rows(rows_.begin(), rows_.end());
    rows.push_back(rows.front());
    std::swap(rows.front(), rows[random_.Uniform(rows.size())]);
    return rows;
  }

  void Acquire() {
    const uint64_t owner = PickOwner();
    if (owner == 0) return;
    PickRows();
    const int id = next_id_++;
    const absl::Duration deadline =
        deadlines_ && random_.OneIn(2)
            ? clock_.Monotonic() + absl::Seconds(random_.Uniform(10))
            : absl::InfiniteDuration();
    tickets_[id] = table_.Acquire(
        Shuffled(), mode_, {owner}, deadline,
        [this, id](absl::StatusOr<RowLocks> locks) {
          events_.push_back(absl::StrCat(id, " ", Fate(locks.status())));
          if (locks.ok()) locks_.emplace(id, *std::move(locks));
        });
    naive_.Acquire(id, rows_, mode_, owner, deadline);
  }
  static const char* Fate(const absl::Status& status) {
    switch (status.code()) {
      case absl::StatusCode::kOk:
        return "granted";
      case absl::StatusCode::kDeadlineExceeded:
        return "expired";
      case absl::StatusCode::kFailedPrecondition:
        return "deadlock";
      case absl::StatusCode::kCancelled:
        return "cancelled";
      default:
        return "?";
    }
  }
  void TryAcquire() {
    const uint64_t owner = PickOwner();
    if (owner == 0) return;
    PickRows();
    const int id = next_id_++;
    absl::StatusOr<RowLocks> locks =
        table_.TryAcquire(Shuffled(), mode_, {owner});
    ASSERT_EQ(locks.ok(), naive_.TryAcquire(id, rows_, mode_, owner))
        << locks.status();
    if (locks.ok()) locks_.emplace(id, *std::move(locks));
  }
  void GiveBack() {
    if (locks_.empty()) return;
    const auto given = std::next(
        locks_.begin(), static_cast<int64_t>(random_.Uniform(locks_.size())));
    const int id = given->first;
    RowLocks locks = std::move(given->second);
    locks_.erase(given);
    locks.Release();
    naive_.GiveBack(id);
  }
  void Cancel() {
    if (tickets_.empty()) return;
    const auto ticket =
        std::next(tickets_.begin(),
                  static_cast<int64_t>(random_.Uniform(tickets_.size())));
    table_.Cancel(ticket->second);
    naive_.Cancel(ticket->first);
    tickets_.erase(ticket);
  }
  void Advance() {
    clock_.Advance(absl::Seconds(random_.Uniform(3)));
    executor_.RunUntilIdle();
    naive_.AdvanceTo(clock_.Monotonic());
  }

  Random random_;
  const bool deadlines_;
  ManualClock clock_;
  DeterministicExecutor executor_;
  RowLockTable table_;
  NaiveLocks naive_;
  int next_id_ = 0;
  RowSet rows_;
  LockMode mode_ = LockMode::kShared;
  std::vector<std::string> events_;
  size_t compared_ = 0;
  std::map<int, RowLockTable::Ticket> tickets_;
  std::map<int, RowLocks> locks_;  // Goes before table_.
};

// With one shard, as requests of several shards that expire at one moment do so
// in any order.
TEST(RowLockModelTest, AgreesWithTheNaiveTwin) {
  const uint64_t seed = TestSeed();
  Random random(seed);
  for (int round = 0; round < 200; ++round) {
    const bool deadlines = random.OneIn(2);
    const RowLockOptions options = {
        .shards = deadlines ? 1 : 8,
        .max_bypass = static_cast<int64_t>(random.Uniform(4))};
    Script script(options, deadlines, random.Next());
    for (int step = 0; step < 300; ++step) {
      script.Step();
      script.Compare();
      if (testing::Test::HasFatalFailure()) {
        FAIL() << "seed " << seed << " round " << round << " step " << step;
      }
    }
    script.Finish();
  }
}

}  // namespace
}  // namespace shale
