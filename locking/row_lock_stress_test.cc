// RowLockTable under many threads. Meant for --config=tsan as well: what the
// locks guard here is plain memory, and every loop is bounded by a count.

#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/random.h"
#include "shale/base/testing/test_seed.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/locking/row_lock_table.h"

namespace shale {
namespace {

constexpr int kThreads = 8;
constexpr int kRequestsEach = 1000;
constexpr uint64_t kRows = 6;

class RowLockStressTest : public testing::Test {
 protected:
  RowLockStressTest() : values_(kRows) {
    for (uint64_t i = 0; i < kRows; ++i) names_.push_back(absl::StrCat(i));
  }

  // Runs `body(random)` in all threads.
  template <typename Body>
  void RunThreads(const Body& body) {
    const uint64_t seed = TestSeed();
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&body, seed, t] {
        Random random(seed + static_cast<uint64_t>(t));
        body(random);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  // In no order.
  static std::set<uint64_t> PickRows(Random& random) {
    std::set<uint64_t> rows;
    for (uint64_t n = 1 + random.Uniform(4); n > 0; --n) {
      rows.insert(random.Uniform(kRows));
    }
    return rows;
  }
  std::vector<absl::string_view> Names(const std::set<uint64_t>& rows) const {
    std::vector<absl::string_view> names;
    for (const uint64_t row : rows) names.insert(names.begin(), names_[row]);
    return names;
  }
  // What holding `rows` allows: counts one on each, or reads them.
  void Touch(const std::set<uint64_t>& rows, LockMode mode) {
    for (const uint64_t row : rows) {
      if (mode == LockMode::kExclusive) {
        ++values_[row];
        increments_.fetch_add(1, std::memory_order_relaxed);
      } else {
        sum_.fetch_add(values_[row], std::memory_order_relaxed);
      }
    }
  }
  void CheckTheEnd() {
    int64_t total = 0;
    for (const int64_t value : values_) total += value;
    EXPECT_EQ(total, increments_.load());
    EXPECT_EQ(table_.stats().rows, 0);
  }

  ThreadPoolExecutor executor_{2, RealClock()};
  RowLockTable table_{{.shards = 4, .max_bypass = 3}, RealClock(), executor_};
  std::vector<std::string> names_;
  std::vector<int64_t> values_;         // Guarded by the row locks alone.
  std::atomic<int64_t> increments_{0};  // Mere counters.
  std::atomic<int64_t> sum_{0};
};

TEST_F(RowLockStressTest, RowsInAnyOrderNeverDeadlock) {
  RunThreads([this](Random& random) {
    absl::BlockingCounter carried_on(kRequestsEach);
    for (int i = 0; i < kRequestsEach; ++i) {
      const std::set<uint64_t> rows = PickRows(random);
      const LockMode mode =
          random.OneIn(2) ? LockMode::kShared : LockMode::kExclusive;
      const LockOwner owner = table_.NewOwner();
      switch (random.Uniform(4)) {
        case 0: {
          absl::StatusOr<RowLocks> locks = table_.AcquireAndWait(
              Names(rows), mode, owner, absl::InfiniteDuration());
          ASSERT_TRUE(locks.ok()) << locks.status();
          Touch(rows, mode);
          carried_on.DecrementCount();
          break;
        }
        case 1: {
          absl::StatusOr<RowLocks> locks =
              table_.TryAcquire(Names(rows), mode, owner);
          if (locks.ok()) Touch(rows, mode);
          carried_on.DecrementCount();
          break;
        }
        default:
          table_.Acquire(
              Names(rows), mode, owner, absl::InfiniteDuration(),
              [this, rows, mode, &carried_on](absl::StatusOr<RowLocks> locks) {
                EXPECT_TRUE(locks.ok()) << locks.status();
                Touch(rows, mode);
                locks->Release();
                carried_on.DecrementCount();
              });
      }
    }
    carried_on.Wait();
  });
  CheckTheEnd();
}

TEST_F(RowLockStressTest, DeadlinesAndCancelsRaceWithGrants) {
  std::atomic<int64_t> ended{0};
  std::atomic<int64_t> refused{0};
  RunThreads([&](Random& random) {
    absl::BlockingCounter carried_on(kRequestsEach);
    RowLockTable::Ticket last;
    for (int i = 0; i < kRequestsEach; ++i) {
      const std::set<uint64_t> rows = PickRows(random);
      const LockMode mode =
          random.OneIn(2) ? LockMode::kShared : LockMode::kExclusive;
      const absl::Duration deadline =
          RealClock().Monotonic() + absl::Microseconds(random.Uniform(300));
      last = table_.Acquire(
          Names(rows), mode, table_.NewOwner(), deadline,
          [&, rows, mode](absl::StatusOr<RowLocks> locks) {
            if (locks.ok()) {
              Touch(rows, mode);
              locks->Release();
            } else {
              EXPECT_TRUE(absl::IsDeadlineExceeded(locks.status()) ||
                          absl::IsCancelled(locks.status()))
                  << locks.status();
              ++refused;
            }
            ++ended;
            carried_on.DecrementCount();
          });
      if (random.OneIn(3)) table_.Cancel(last);
      if (random.OneIn(8)) std::this_thread::yield();
    }
    carried_on.Wait();
  });
  EXPECT_EQ(ended.load(), kThreads * kRequestsEach);
  RecordProperty("refused", static_cast<int>(refused.load()));
  CheckTheEnd();
}

// Readers that come one after the other without a gap can't keep a writer out.
TEST_F(RowLockStressTest, WriterGetsThroughOverlappingReaders) {
  const absl::string_view row = names_[0];
  std::atomic<bool> written{false};
  std::atomic<int> reading{0};
  std::vector<std::thread> readers;
  for (int r = 0; r < 3; ++r) {
    readers.emplace_back([&, r] {
      while (!written) {
        absl::StatusOr<RowLocks> locks =
            table_.AcquireAndWait({&row, 1}, LockMode::kShared,
                                  table_.NewOwner(), absl::InfiniteDuration());
        ASSERT_TRUE(locks.ok()) << locks.status();
        reading |= 1 << r;
        // So long that mostly another reads when this one ends.
        for (int spins = 0; spins < 100 && !written; ++spins) {
          std::this_thread::yield();
        }
      }
    });
  }
  while (reading != 7) std::this_thread::yield();
  absl::StatusOr<RowLocks> locks =
      table_.AcquireAndWait({&row, 1}, LockMode::kExclusive, table_.NewOwner(),
                            absl::InfiniteDuration());
  written = true;
  EXPECT_TRUE(locks.ok()) << locks.status();
  locks->Release();
  for (std::thread& reader : readers) reader.join();
  EXPECT_LE(table_.stats().overtakes, 3);
}

}  // namespace
}  // namespace shale
