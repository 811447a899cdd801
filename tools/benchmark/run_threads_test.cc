#include "shale/tools/benchmark/run_threads.h"

#include <set>

#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "gtest/gtest.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

Causes NoCauses() { return {}; }
void NotWatched(int64_t) {}

TEST(RunThreadsTest, EveryThreadHasItsOwnIndexAndAllCountsAreMerged) {
  absl::Mutex mu;
  std::set<int> seen;
  const Measurement run = RunThreads(
      {.threads = 4}, RealClock(), NoCauses, NotWatched, [&](Worker& worker) {
        for (int i = 0; i < 10; ++i) {
          EXPECT_OK(worker.Measure([] { return absl::OkStatus(); }));
        }
        absl::MutexLock lock(&mu);
        seen.insert(worker.index());
      });
  EXPECT_OK(run.status);
  EXPECT_EQ(run.operations(), 40);
  EXPECT_EQ(seen, std::set<int>({0, 1, 2, 3}));
  EXPECT_GT(run.elapsed, absl::ZeroDuration());
}

TEST(RunThreadsTest, AnOperationTakesAsLongAsTheClockSays) {
  ManualClock clock;
  Measurement run = RunThreads({.threads = 1}, clock, NoCauses, NotWatched,
                               [&](Worker& worker) {
                                 worker
                                     .Measure([&] {
                                       clock.Advance(absl::Microseconds(350));
                                       return absl::OkStatus();
                                     })
                                     .IgnoreError();  // It can't fail.
                               });
  EXPECT_EQ(run.nanos.min(), 350000);
  EXPECT_EQ(run.elapsed, absl::Microseconds(350));
}

TEST(RunThreadsTest, AnErrorEndsTheRunAndDoesNotCountAsAnOperation) {
  const Measurement run = RunThreads(
      {.threads = 2}, RealClock(), NoCauses, NotWatched, [&](Worker& worker) {
        int64_t done = 0;
        while (worker.MayGoOn()) {
          worker
              .Measure([&] {
                return worker.index() == 0 && ++done == 3
                           ? absl::UnavailableError("no more")
                           : absl::OkStatus();
              })
              .IgnoreError();  // The run's status has it.
        }
      });
  EXPECT_EQ(run.status.message(), "no more");
  EXPECT_GE(run.operations(), 2);
}

TEST(RunThreadsTest, ThreadsStopWhenTheTimeIsOver) {
  ManualClock clock;
  const Measurement run =
      RunThreads({.threads = 1, .time_limit = absl::Milliseconds(5)}, clock,
                 NoCauses, NotWatched, [&](Worker& worker) {
                   while (worker.MayGoOn()) {
                     EXPECT_OK(worker.Measure([&] {
                       clock.Advance(absl::Milliseconds(1));
                       return absl::OkStatus();
                     }));
                   }
                 });
  EXPECT_EQ(run.operations(), 5);
  EXPECT_DOUBLE_EQ(run.OperationsPerSecond(), 1000);
}

TEST(RunThreadsTest, CausesAreThoseOfTheRunAlone) {
  Causes now;
  now.syncs = 7;
  const Measurement run = RunThreads(
      {.threads = 1}, RealClock(), [&] { return now; }, NotWatched,
      [&](Worker& worker) {
        EXPECT_OK(worker.Measure([&] {
          now.syncs += 2;
          now.wakes += 1;
          return absl::OkStatus();
        }));
      });
  EXPECT_EQ(run.causes.syncs, 2);
  EXPECT_EQ(run.causes.wakes, 1);
  EXPECT_DOUBLE_EQ(run.PerOperation(run.causes.wakes), 1);
}

}  // namespace
}  // namespace shale
