// A log that rolls while counts are under way, and fails at it.
#include <cerrno>
#include <cstdint>
#include <deque>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/sweep.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/region/testing/counters.h"
#include "shale/region/testing/increment_combinations.h"
#include "shale/region/testing/pending_apply.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

// Counts beside writes that fill a segment and a half, told of one fault in the
// log's files, and what is left of it afterwards.
class RollScript {
 public:
  RollScript(const IncrementCombination& combination, const FaultRule& rule)
      : host_(files_, TestHost::Schema(), {}, Options(combination)) {
    EXPECT_OK(host_.Open());
    const FaultRuleId id = files_.faults().Inject(rule);
    Run();
    picked_ = files_.faults().picked(id);
  }

  // How many calls have failed.
  uint64_t picked() const { return picked_; }
  bool poisoned() const { return poisoned_; }

  // After a crash the counter has what was acknowledged, and nothing that was
  // never tried.
  void CheckAfterCrash(uint64_t seed) {
    files_.Crash(seed);
    host_.Close().IgnoreError();  // Its files are gone.
    ASSERT_OK(host_.Open());
    const std::optional<int64_t> counter = CounterOf(Read("r"));
    EXPECT_GE(counter.value_or(0), counted_);
    EXPECT_LE(counter.value_or(0), counted_ + unknown_);
    EXPECT_EQ(
        CounterOf(
            host_.region().Increment(Increment("r").Add("f", "q", 1)).row),
        counter.value_or(0) + 1);
  }

  std::string log() { return files_.faults().ToString(); }

 private:
  static constexpr int kRounds = 3;
  static constexpr int kCounts = 3;  // Under way at a time.
  static constexpr size_t kLarge = 32 << 10;

  static HostOptions Options(const IncrementCombination& combination) {
    HostOptions options = combination.options;
    options.wal.segment_bytes = 64 << 10;
    options.wal.stall_retry = absl::Milliseconds(1);
    return options;
  }

  RowResult Read(const std::string& row) {
    const absl::StatusOr<RowResult> result = host_.region().Read({row, {}});
    EXPECT_OK(result);
    return *result;
  }

  void Run() {
    for (int round = 0; round < kRounds; ++round) {
      std::deque<PendingApply> counts;
      for (int i = 0; i < kCounts; ++i) {
        counts.emplace_back(host_.region(),
                            Increment("r").Add("f", "q", 1).TakeBatch());
      }
      MutationBatch large;
      large.mutations.push_back(
          RowMutation("large").Put("f", "q", std::string(kLarge, 'v')));
      Note(host_.region().Apply(std::move(large)).status());
      std::vector<std::optional<int64_t>> got, want;
      for (PendingApply& count : counts) {
        const ApplyResult& result = count.Wait();
        Note(result.status());
        if (absl::IsUnknown(result.status())) ++unknown_;
        if (!result.status().ok()) continue;
        got.push_back(CounterOf(result.rows[0]));
        want.push_back(++counted_);
      }
      EXPECT_THAT(got, testing::UnorderedElementsAreArray(want));
    }
    if (poisoned_) return;
    // The log is as good as before, and soon said to be: nothing is stuck.
    while (host_.region().Health().state == HealthState::kStalled) {
      std::this_thread::yield();
    }
    EXPECT_EQ(host_.region().Health().state, HealthState::kServing);
    ASSERT_OK(host_.region().Apply(RowMutation("last").Put("f", "q", "v")));
    const RegionStats stats = host_.region().Stats();
    EXPECT_EQ(stats.read_point, stats.write_point);
    EXPECT_EQ(CounterOf(Read("r")), counted_);
  }

  // Either the log gets over it unseen, or it is poisoned and says so.
  void Note(const absl::Status& status) {
    if (status.ok()) return;
    poisoned_ = true;
    EXPECT_TRUE(absl::IsUnknown(status) || absl::IsFailedPrecondition(status))
        << status;
    EXPECT_EQ(host_.region().Health().state, HealthState::kPoisoned);
  }

  ThreadPoolExecutor executor_{2, RealClock()};
  MemoryFileSystem memory_{executor_};
  FaultyFileSystem files_{memory_, executor_};
  TestHost host_;
  uint64_t picked_ = 0;
  bool poisoned_ = false;
  int64_t counted_ = 0;
  int64_t unknown_ = 0;
};

// The first for every combination, the others for what is shipped.
const Fault kRollFaults[] = {
    {.error_number = EIO},
    {.error_number = ENOSPC},
    {.effect = Fault::Effect::kShort, .error_number = EIO},
    {.effect = Fault::Effect::kTorn, .error_number = EIO},
    {.outcome = FileOutcome::kUnknown},
    {.effect = Fault::Effect::kApplied, .outcome = FileOutcome::kUnknown},
    {.effect = Fault::Effect::kAppliedLater, .outcome = FileOutcome::kUnknown},
};

bool IsOfAppends(const Fault& fault) {
  return fault.effect == Fault::Effect::kShort ||
         fault.effect == Fault::Effect::kTorn;
}

class IncrementRollTest : public testing::TestWithParam<IncrementCombination> {
 protected:
  // One call after the other, until no call is left to fail.
  void SweepOver(FaultRule rule) {
    const Sweep sweep = SweepFrom(1);
    for (rule.nth = sweep.first;; rule.nth += sweep.stride) {
      RollScript script(GetParam(), rule);
      EXPECT_FALSE(rule.times == 1 && script.poisoned());
      if (script.picked() > 0) script.CheckAfterCrash(rule.nth);
      if (HasFailure()) FAIL() << rule.ToString() << "\n" << script.log();
      if (script.picked() == 0) break;
    }
    EXPECT_GT(rule.nth, 1) << "the log never rolled";
  }
};

// HBASE-14317, HBASE-14401: an entry whose append or sync had failed was never
// completed, and the region stuck for ever.
TEST_P(IncrementRollTest, AFailedRollAtAnyCallIsSeenByNoCount) {
  const bool shipped = GetParam().name == kShippedIncrementCombination;
  for (const Fault& fault : absl::MakeSpan(kRollFaults)
                                .first(shipped ? std::size(kRollFaults) : 1)) {
    for (const FileOp op :
         {FileOp::kCreate, FileOp::kAppend, FileOp::kSync, FileOp::kFinish}) {
      if (IsOfAppends(fault) && op != FileOp::kAppend) continue;
      for (const uint64_t times : {1, 2}) {
        SweepOver(
            {.op = op, .name = "host/wal/*", .times = times, .fault = fault});
        if (HasFatalFailure()) return;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Combinations, IncrementRollTest,
                         testing::ValuesIn(IncrementFailureCombinations()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace shale
