// The machine stops at the nth call of the file system, while several threads
// write, flush and compact, and forgets an arbitrary part of what wasn't
// synced. Then once more, often while the region recovers. SHALE_CRASH_POINTS
// says how many such points all tests together try.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "shale/base/check.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/region/testing/ledger_writer.h"
#include "shale/region/testing/mixed_levels_row.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

constexpr int kPoints = 1000;
constexpr int kParts = 10;
// Of the first life, and of the second, which has a log to recover: that takes
// 60 calls, and up to twice as many, so half of the second crashes come first.
constexpr uint64_t kMostCalls = 300;
constexpr uint64_t kMostCallsOfSecond = 100;
constexpr double kLeastShareInRecovery = 0.3;
// No open takes more, whatever the crashes have left behind.
constexpr uint64_t kMostCallsOfOpen = 250;

int PointsOfOneTest() {
  int points = kPoints;
  if (const char* given = std::getenv("SHALE_CRASH_POINTS"); given != nullptr) {
    SHALE_CHECK(absl::SimpleAtoi(given, &points)) << given;
  }
  return points / kParts;
}

// All the lives of one directory: in each but the last the machine crashes.
class Lives {
 public:
  explicit Lives(uint64_t seed)
      : random_(seed),
        executor_(2, RealClock()),
        memory_(executor_),
        files_(memory_, executor_, seed),
        unlogged_(9) {
    const int writers = 1 + static_cast<int>(random_.Uniform(3));
    for (int id = 0; id < writers; ++id) logged_.emplace_back(id);
  }

  // Opens, checks what is there and writes, until the nth call of the file
  // system, which is the last one. True if that came before it was open.
  bool LiveUntilCall(uint64_t nth) {
    files_.faults().Inject({.nth = nth,
                            .times = FaultRule::kAlways,
                            .fault = {.effect = Fault::Effect::kHeld}});
    ++life_;
    crashing_ = false;
    std::unique_ptr<TestHost> host = NewHost();
    // Drawn before the other thread draws, too.
    const uint64_t crash_seed = random_.Next();
    absl::Status opened;
    std::thread life([this, &host, &opened] {
      opened = Open(*host);
      if (!opened.ok()) {
        EXPECT_TRUE(crashing_) << "life " << life_ << ": " << opened;
        return;
      }
      CheckAll(host->region());
      WriteUntilCrash(host->region());
    });
    files_.faults().AwaitHeld(1);
    crashing_ = true;
    files_.Crash(crash_seed);
    life.join();
    return !opened.ok();
  }

  // Opens, checks, writes a little and closes.
  void LiveAndClose() {
    ++life_;
    crashing_ = false;
    std::unique_ptr<TestHost> host = NewHost();
    ASSERT_OK(Open(*host)) << "life " << life_;
    CheckAll(host->region());
    for (LedgerWriter& writer : logged_) {
      ASSERT_OK(writer.Write(host->region(), Durability::kAsyncWal));
      writer.Acknowledge();
    }
    ASSERT_OK(unlogged_.Write(host->region(), Durability::kSkipWal));
    unlogged_.Acknowledge();
    ASSERT_OK(mixed_.Count(host->region(), Durability::kSkipWal));
    mixed_.Acknowledge(mixed_.answered());
    ASSERT_OK(host->Close());
  }

 private:
  std::unique_ptr<TestHost> NewHost() {
    RegionSchema schema = TestHost::Schema();
    schema.families[0].block_bytes = 1000;
    RegionOptions options;
    options.flush_bytes = 64 << 10;
    HostOptions host;
    host.wal.segment_bytes = 64 << 10;
    host.wal.syncer_threads = 2;
    return std::make_unique<TestHost>(files_, schema, options, host);
  }

  absl::Status Open(TestHost& host) {
    const uint64_t before = files_.faults().calls();
    absl::Status opened = host.Open();
    const uint64_t calls = files_.faults().calls() - before;
    EXPECT_LE(calls, kMostCallsOfOpen) << "life " << life_;
    return opened;
  }

  // What fails because the machine crashes is no failure of the test.
  bool Failed(const absl::Status& status) {
    if (status.ok()) return false;
    EXPECT_TRUE(crashing_) << "life " << life_ << ": " << status;
    return true;
  }

  void CheckAll(Region& region) {
    for (LedgerWriter& writer : logged_) {
      if (!Failed(writer.Check(region))) Failed(writer.Repeat(region));
    }
    Failed(unlogged_.Check(region));
    Failed(mixed_.Check(region));
  }

  void WriteUntilCrash(Region& region) {
    std::vector<std::thread> threads;
    for (LedgerWriter& writer : logged_) {
      threads.emplace_back([this, &region, &writer, seed = random_.Next()] {
        WriteLogged(region, writer, seed);
      });
    }
    threads.emplace_back([this, &region, seed = random_.Next()] {
      WriteUnlogged(region, seed);
    });
    for (int t = 0; t < 2; ++t) {
      threads.emplace_back([this, &region, seed = random_.Next()] {
        CountAtAllLevels(region, seed);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  void WriteLogged(Region& region, LedgerWriter& writer, uint64_t seed) {
    Random random(seed);
    while (!crashing_) {
      const Durability durability =
          random.OneIn(2) ? Durability::kAsyncWal
                          : (random.OneIn(4) ? Durability::kFsyncWal
                                             : Durability::kSyncWal);
      if (Failed(writer.Write(region, durability))) return;
      if (durability != Durability::kAsyncWal) writer.Acknowledge();
    }
  }

  // Writes that skip the log are durable once a flush says so.
  void WriteUnlogged(Region& region, uint64_t seed) {
    Random random(seed);
    while (!crashing_) {
      if (Failed(unlogged_.Write(region, Durability::kSkipWal))) return;
      if (random.OneIn(4)) {
        const int64_t counted = mixed_.answered();
        if (Failed(region.Flush().status())) return;
        unlogged_.Acknowledge();
        mixed_.Acknowledge(counted);
      }
      if (random.OneIn(8) && Failed(region.Compact().status())) return;
    }
  }

  void CountAtAllLevels(Region& region, uint64_t seed) {
    Random random(seed);
    const Durability levels[] = {Durability::kSkipWal, Durability::kAsyncWal,
                                 Durability::kSyncWal, Durability::kFsyncWal};
    while (!crashing_) {
      if (Failed(mixed_.Count(region, levels[random.Uniform(4)]))) return;
    }
  }

  Random random_;
  ThreadPoolExecutor executor_;
  MemoryFileSystem memory_;
  FaultyFileSystem files_;
  std::vector<LedgerWriter> logged_;
  LedgerWriter unlogged_;
  MixedLevelsRow mixed_;
  int life_ = 0;
  // Set before the first call fails, so who sees a failure sees it.
  std::atomic<bool> crashing_ = false;
};

class RegionCrashTest : public testing::TestWithParam<int> {
 protected:
  static void TearDownTestSuite() {
    RecordProperty("second_crashes_in_recovery", in_recovery_);
    if (points_ < 100) return;  // Too few to tell.
    EXPECT_GE(in_recovery_, kLeastShareInRecovery * points_)
        << "of " << points_ << " second crashes";
  }

  static inline int points_ = 0;
  static inline int in_recovery_ = 0;  // Points whose second crash is there.
};

TEST_P(RegionCrashTest, AcknowledgedWritesSurviveCrashesAtAnyCall) {
  const uint64_t seed = TestSeed();
  for (int point = 0; point < PointsOfOneTest(); ++point) {
    Random random(seed + point);
    Lives lives(random.Next());
    lives.LiveUntilCall(1 + random.Uniform(kMostCalls));
    ++points_;
    if (lives.LiveUntilCall(1 + random.Uniform(kMostCallsOfSecond))) {
      ++in_recovery_;
    }
    lives.LiveAndClose();
    lives.LiveAndClose();
    if (HasFailure()) FAIL() << "with SHALE_TEST_SEED=" << seed + point;
  }
}

INSTANTIATE_TEST_SUITE_P(Part, RegionCrashTest, testing::Range(0, kParts));

}  // namespace
}  // namespace shale
