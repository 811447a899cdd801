#include "shale/tools/shale/watched_apply.h"

#include <cerrno>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

MutationBatch Batch() {
  MutationBatch batch;
  batch.timeout = absl::Hours(1);
  batch.mutations.push_back(RowMutation("row").Put("f", "q", "v", 1));
  return batch;
}

TEST(WatchedApplyTest, TellsWhyARegionIsStalledAndEndsWithTheWrite) {
  ManualClock clock;
  ThreadPoolExecutor executor(2, RealClock());
  MemoryFileSystem memory(executor);
  FaultyFileSystem files(memory, executor);
  TestHost host(files, TestHost::Schema(), {}, {}, clock);
  ASSERT_OK(host.Open());
  files.faults().Inject({.name = "host/wal/*",
                         .times = FaultRule::kAlways,
                         .fault = {.error_number = ENOSPC}});
  absl::Mutex mu;
  std::string told;
  bool done = false;
  ApplyResult result;
  std::thread applier([&] {
    result = WatchedApply(host.region(), Batch(), clock,
                          [&](absl::string_view what) {
                            absl::MutexLock lock(&mu);
                            if (!what.empty()) told = std::string(what);
                          });
    absl::MutexLock lock(&mu);
    done = true;
  });
  // It looks now and then; an hour is enough for it to be told.
  for (bool over = false; !over;) {
    std::this_thread::yield();
    absl::MutexLock lock(&mu);
    clock.Advance(told.empty() ? absl::Milliseconds(100) : absl::Minutes(1));
    over = done;
  }
  applier.join();
  EXPECT_THAT(result.status(), StatusIs(absl::StatusCode::kUnknown));
  EXPECT_THAT(told, AllOf(StartsWith("stalled: "), HasSubstr("No space left"),
                          EndsWith(", waiting")));
  files.faults().WithdrawAll();
}

TEST(WatchedApplyTest, TellsNothingOfAWriteThatPasses) {
  TestHost host;
  EXPECT_OK(WatchedApply(host.region(), Batch(), RealClock(),
                         [](absl::string_view what) { EXPECT_EQ(what, ""); })
                .status());
  EXPECT_EQ(ReadText(host.region(), "row"), "row/f:q@1=v");
}

}  // namespace
}  // namespace shale
