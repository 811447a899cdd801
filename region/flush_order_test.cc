// What a flush waits for before it goes on.
#include <chrono>
#include <cstdint>
#include <future>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/region/testing/pending_apply.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

MutationBatch BatchOf(RowMutation mutation, Durability durability) {
  MutationBatch batch;
  batch.durability = durability;
  batch.mutations.push_back(std::move(mutation));
  return batch;
}

class FlushOrderTest : public testing::Test {
 protected:
  FlushOrderTest() { EXPECT_OK(host_.Open()); }

  static RegionOptions Options() {
    RegionOptions options;
    options.write_timeout = absl::Milliseconds(1);
    return options;
  }
  void HoldSyncsOfTheLog() {
    files_.faults().Inject({.op = FileOp::kSync,
                            .name = "host/wal/*",
                            .times = FaultRule::kAlways,
                            .fault = {.effect = Fault::Effect::kHeld}});
  }
  void LetGo() {
    files_.faults().WithdrawAll();
    files_.faults().Release();
  }
  // What a flush comes to that waits in vain until it gives up.
  absl::Status FlushInVain() {
    auto flush = std::async(std::launch::async,
                            [this] { return host_.region().Flush().status(); });
    files_.faults().AwaitHeld(1);
    while (flush.wait_for(std::chrono::milliseconds(1)) !=
           std::future_status::ready) {
      clock_.Advance(Options().write_timeout);
    }
    return flush.get();
  }

  ManualClock clock_;
  ThreadPoolExecutor executor_{2, clock_};
  MemoryFileSystem memory_{executor_};
  FaultyFileSystem files_{memory_, executor_};
  TestHost host_{files_, TestHost::Schema(), Options(), {}, clock_};
};

// No file may hold a write that its own log could still lose.
TEST_F(FlushOrderTest, ManifestWaitsForTheLogToBeSyncedThroughWhatWasFrozen) {
  HoldSyncsOfTheLog();
  ASSERT_OK(host_.region()
                .Apply(BatchOf(RowMutation("a").Put("f", "q", "v", 1),
                               Durability::kAsyncWal))
                .status());
  const uint64_t commits = files_.faults().calls(FileOp::kCommitMeta);
  const uint64_t created = files_.faults().calls(FileOp::kCreate);
  EXPECT_THAT(FlushInVain(),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       testing::HasSubstr("the log is not synced")));
  EXPECT_EQ(files_.faults().calls(FileOp::kCommitMeta), commits);
  EXPECT_EQ(files_.faults().calls(FileOp::kCreate), created + 1)
      << "a slow log is no reason to try twice";
  EXPECT_THAT(ListFiles(files_, "host/reserve/"),
              IsOkAndHolds(testing::SizeIs(1)));
  LetGo();
  ASSERT_OK(host_.region().Flush());
  EXPECT_EQ(files_.faults().calls(FileOp::kCommitMeta), commits + 1);
  EXPECT_EQ(ReadText(host_.region(), "a"), "a/f:q@1=v");
}

// A file has no cell that a read point above its number could miss before.
TEST_F(FlushOrderTest, NoFileIsWrittenBeforeTheFrozenIsVisible) {
  HoldSyncsOfTheLog();
  PendingApply put(
      host_.region(),
      BatchOf(RowMutation("a").Put("f", "q", "v", 1), Durability::kSyncWal));
  const uint64_t created = files_.faults().calls(FileOp::kCreate);
  EXPECT_THAT(
      FlushInVain(),
      StatusIs(absl::StatusCode::kResourceExhausted,
               testing::HasSubstr("the frozen writes are not confirmed")));
  EXPECT_EQ(files_.faults().calls(FileOp::kCreate), created);
  EXPECT_EQ(ReadText(host_.region(), "a"), "");
  LetGo();
  put.Wait();
  ASSERT_OK(host_.region().Flush());
  EXPECT_EQ(files_.faults().calls(FileOp::kCreate), created + 1);
  EXPECT_EQ(ReadText(host_.region(), "a"), "a/f:q@1=v");
}

}  // namespace
}  // namespace shale
