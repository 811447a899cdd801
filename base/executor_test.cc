// What every Executor promises, then what each adds. Deterministic order is in
// testing/deterministic_executor_test.cc.
#include "shale/base/executor.h"

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/synchronization/barrier.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/test_seed.h"
#include "shale/base/thread_pool_executor.h"

namespace shale {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// What tasks write down. Thread-safe.
class Log {
 public:
  void Add(int entry) {
    absl::MutexLock lock(&mu_);
    entries_.push_back(entry);
  }

  absl::AnyInvocable<void()> Adder(int entry) {
    return [this, entry] { Add(entry); };
  }

  std::vector<int> entries() {
    absl::MutexLock lock(&mu_);
    return entries_;
  }

  std::vector<int> AwaitEntries(size_t count) {
    absl::MutexLock lock(&mu_);
    const auto enough = [this, count]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
      return entries_.size() >= count;
    };
    mu_.Await(absl::Condition(&enough));
    return entries_;
  }

 private:
  absl::Mutex mu_;
  std::vector<int> entries_ ABSL_GUARDED_BY(mu_);
};

enum class Kind { kPool, kDeterministic };

std::string KindName(Kind kind) {
  return kind == Kind::kPool ? "Pool" : "Deterministic";
}

class ExecutorTest : public testing::TestWithParam<Kind> {
 protected:
  ExecutorTest() {
    if (GetParam() == Kind::kPool) {
      executor_ = std::make_unique<ThreadPoolExecutor>(3, clock_);
    } else {
      auto deterministic =
          std::make_unique<DeterministicExecutor>(clock_, TestSeed());
      deterministic_ = deterministic.get();
      executor_ = std::move(deterministic);
    }
  }

  ~ExecutorTest() override { Destroy(); }

  Executor& executor() { return *executor_; }

  // Lets tasks run that could run now; the pool's do so by themselves.
  void Pump() {
    if (deterministic_ != nullptr) deterministic_->RunUntilIdle();
  }

  void Destroy() {
    Pump();
    executor_.reset();
    deterministic_ = nullptr;
  }

  ManualClock clock_;
  Log log_;

 private:
  std::unique_ptr<Executor> executor_;
  DeterministicExecutor* deterministic_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(All, ExecutorTest,
                         testing::Values(Kind::kPool, Kind::kDeterministic),
                         [](const auto& info) { return KindName(info.param); });

TEST_P(ExecutorTest, RunsEveryScheduledTaskOnce) {
  for (int i = 0; i < 5; ++i) executor().Schedule(log_.Adder(i));
  Destroy();
  EXPECT_THAT(log_.entries(), UnorderedElementsAre(0, 1, 2, 3, 4));
}

TEST_P(ExecutorTest, NeverRunsATaskWithinTheCallThatSchedulesIt) {
  static thread_local bool in_call = false;
  for (int i = 0; i < 20; ++i) {
    in_call = true;
    executor().Schedule([this] { log_.Add(in_call); });
    executor().ScheduleAt(absl::ZeroDuration(), [this] { log_.Add(in_call); });
    in_call = false;
  }
  Pump();
  EXPECT_THAT(log_.AwaitEntries(40), testing::Each(0));
}

TEST_P(ExecutorTest, TasksMayScheduleTasks) {
  executor().Schedule([this] {
    log_.Add(1);
    executor().Schedule([this] {
      log_.Add(2);
      executor().Schedule(log_.Adder(3));
    });
  });
  Pump();
  EXPECT_THAT(log_.AwaitEntries(3), ElementsAre(1, 2, 3));
}

TEST_P(ExecutorTest, ATimerRunsWhenItsDeadlineIsReachedAndNotBefore) {
  executor().ScheduleAt(absl::Seconds(5), log_.Adder(5));
  clock_.Advance(absl::Seconds(5) - absl::Nanoseconds(1));
  Pump();
  EXPECT_THAT(log_.entries(), IsEmpty());
  clock_.Advance(absl::Nanoseconds(1));
  Pump();
  EXPECT_THAT(log_.AwaitEntries(1), ElementsAre(5));
}

TEST_P(ExecutorTest, APastDeadlineIsAsGoodAsNow) {
  clock_.Advance(absl::Seconds(5));
  executor().ScheduleAt(absl::Seconds(3), log_.Adder(3));
  executor().ScheduleAt(-absl::InfiniteDuration(), log_.Adder(4));
  Pump();
  EXPECT_THAT(log_.AwaitEntries(2), UnorderedElementsAre(3, 4));
}

TEST_P(ExecutorTest, AnEarlierTimerMayBeSetAfterALaterOne) {
  executor().ScheduleAt(absl::Hours(1), log_.Adder(60));
  executor().ScheduleAt(absl::Minutes(1), log_.Adder(1));
  clock_.Advance(absl::Minutes(1));
  Pump();
  EXPECT_THAT(log_.AwaitEntries(1), ElementsAre(1));
  clock_.Advance(absl::Hours(1));
  Pump();
  EXPECT_THAT(log_.AwaitEntries(2), ElementsAre(1, 60));
}

TEST_P(ExecutorTest, ACancelledTimerNeverRunsAndItsTaskIsDestroyedAtOnce) {
  const auto token = std::make_shared<int>(0);
  const TimerId timer =
      executor().ScheduleAt(absl::Seconds(1), [this, token] { log_.Add(1); });
  EXPECT_TRUE(executor().Cancel(timer));
  EXPECT_EQ(token.use_count(), 1);
  EXPECT_FALSE(executor().Cancel(timer));
  clock_.Advance(absl::Seconds(2));
  Destroy();
  EXPECT_THAT(log_.entries(), IsEmpty());
}

TEST_P(ExecutorTest, CancelIsFalseForATimerThatRanOrNeverWas) {
  const TimerId timer = executor().ScheduleAt(absl::Seconds(1), log_.Adder(1));
  clock_.Advance(absl::Seconds(1));
  Pump();
  log_.AwaitEntries(1);
  EXPECT_FALSE(executor().Cancel(timer));
  EXPECT_FALSE(executor().Cancel(TimerId()));
  EXPECT_FALSE(executor().Cancel(TimerId(99)));
}

TEST_P(ExecutorTest, EndingDropsTimersThatHaveNotComeDue) {
  const auto token = std::make_shared<int>(0);
  executor().ScheduleAt(absl::Seconds(1), [this, token] { log_.Add(1); });
  Destroy();
  EXPECT_EQ(token.use_count(), 1);
  EXPECT_THAT(log_.entries(), IsEmpty());
}

// A capture that calls the executor when its task is destroyed.
class SchedulesWhenDestroyed {
 public:
  SchedulesWhenDestroyed(Executor& executor, Log& log)
      : executor_(&executor), log_(log) {}
  SchedulesWhenDestroyed(SchedulesWhenDestroyed&& other)
      : executor_(std::exchange(other.executor_, nullptr)), log_(other.log_) {}
  ~SchedulesWhenDestroyed() {
    if (executor_ != nullptr) executor_->Schedule(log_.Adder(9));
  }

 private:
  Executor* executor_;
  Log& log_;
};

TEST_P(ExecutorTest, TasksAreDestroyedWithNoLockHeld) {
  executor().Schedule([x = SchedulesWhenDestroyed(executor(), log_)] {});
  const TimerId timer = executor().ScheduleAt(
      absl::Seconds(1), [x = SchedulesWhenDestroyed(executor(), log_)] {});
  EXPECT_TRUE(executor().Cancel(timer));
  Pump();
  EXPECT_THAT(log_.AwaitEntries(2), ElementsAre(9, 9));
}

TEST_P(ExecutorTest, CancelAndRunNeverBothHappenNorNeither) {
  constexpr int kTimers = 500;
  std::vector<TimerId> timers;
  for (int i = 0; i < kTimers; ++i) {
    timers.push_back(
        executor().ScheduleAt(absl::Microseconds(i), log_.Adder(i)));
  }
  std::thread advancing([this] {
    for (int i = 0; i < kTimers; ++i) clock_.Advance(absl::Microseconds(1));
  });
  int cancelled = 0;
  for (auto it = timers.rbegin(); it != timers.rend(); ++it) {
    cancelled += executor().Cancel(*it);
  }
  advancing.join();
  Pump();
  log_.AwaitEntries(kTimers - cancelled);
  Destroy();
  EXPECT_EQ(log_.entries().size(), kTimers - cancelled);
}

TEST(ThreadPoolExecutorTest, RunsAsManyTasksAtOnceAsItHasThreads) {
  ManualClock clock;
  ThreadPoolExecutor executor(3, clock);
  auto* all_running = new absl::Barrier(3);
  for (int i = 0; i < 3; ++i) {
    executor.Schedule([all_running] {
      if (all_running->Block()) delete all_running;
    });
  }
}

TEST(ThreadPoolExecutorTest, OneThreadRunsTasksInTheOrderOfScheduling) {
  ManualClock clock;
  Log log;
  {
    ThreadPoolExecutor executor(1, clock);
    for (int i = 0; i < 4; ++i) executor.Schedule(log.Adder(i));
  }
  EXPECT_THAT(log.entries(), ElementsAre(0, 1, 2, 3));
}

TEST(ThreadPoolExecutorTest, EndingRunsWhatTasksStillSchedule) {
  ManualClock clock;
  Log log;
  {
    ThreadPoolExecutor executor(2, clock);
    executor.Schedule([&executor, &log] {
      executor.Schedule([&executor, &log] { executor.Schedule(log.Adder(7)); });
    });
  }
  EXPECT_THAT(log.entries(), ElementsAre(7));
}

TEST(ThreadPoolExecutorTest, TimersRunOnTheRealClock) {
  Log log;
  ThreadPoolExecutor executor(1, RealClock());
  const absl::Duration now = RealClock().Monotonic();
  executor.ScheduleAt(now + absl::Milliseconds(2), [&log, now] {
    log.Add(RealClock().Monotonic() >= now + absl::Milliseconds(2));
  });
  EXPECT_THAT(log.AwaitEntries(1), ElementsAre(1));
}

}  // namespace
}  // namespace shale
