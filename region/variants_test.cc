// The same random scripts over every combination of the variants that a region
// can be composed of: all answer alike, and as the slow twin. A new variant is
// in as soon as its package's list names it; a new seam is one more loop.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/locking/row_commit_sequencer_variants.h"
#include "shale/mvcc/mvcc_variants.h"
#include "shale/region/host_options.h"
#include "shale/region/increment_variants.h"
#include "shale/region/region_components.h"
#include "shale/region/region_stats.h"
#include "shale/region/testing/model_runner.h"
#include "shale/region/testing/model_script.h"
#include "shale/region/testing/test_host.h"
#include "shale/wal/wal_variants.h"

namespace shale {
namespace {

constexpr int kScripts = 2;

struct Combination {
  std::string name;
  RegionVariants variants;
  RegionComponents components;
};

std::vector<Combination> Combinations() {
  std::vector<Combination> combinations;
  for (const MvccVariant& mvcc : MvccVariants()) {
    for (const RowCommitSequencerVariant& sequencer :
         RowCommitSequencerVariants()) {
      for (const WalVariant& wal : WalVariants()) {
        for (const IncrementVariant& increment : IncrementVariants()) {
          RegionComponents components = DefaultRegionComponents();
          components.mvcc = mvcc.create;
          components.commit_sequencer = sequencer.create;
          components.open_wal = wal.open;
          components.increment = increment.create;
          combinations.push_back(
              {absl::StrCat(mvcc.name, "_", sequencer.name, "_", wal.name, "_",
                            increment.name),
               {mvcc.name, sequencer.name, increment.name},
               std::move(components)});
        }
      }
    }
  }
  return combinations;
}

class VariantsTest : public testing::TestWithParam<Combination> {};

TEST_P(VariantsTest, AnswersAsTheDefaultAndAsTheTwin) {
  const uint64_t seed = TestSeed();
  for (int i = 0; i < kScripts; ++i) {
    const ModelScript script = MakeModelScript(seed + i, {});
    const ModelRun run = RunOnRegion(script, GetParam().components);
    const std::vector<std::string> expected =
        RunOnTwin(script, run.commit_timestamps).answers;
    ASSERT_EQ(run.answers.size(), expected.size());
    for (size_t step = 0; step < expected.size(); ++step) {
      ASSERT_EQ(run.answers[step], expected[step])
          << "step " << step << " with SHALE_TEST_SEED=" << seed + i;
    }
  }
}

TEST_P(VariantsTest, TheRegionSaysWhatItIsMadeOf) {
  ThreadPoolExecutor executor(1, RealClock());
  MemoryFileSystem files(executor);
  HostOptions options;
  options.components = GetParam().components;
  TestHost host(files, TestHost::Schema(), {}, options);
  ASSERT_OK(host.Open());
  const RegionVariants variants = host.region().Stats().variants;
  EXPECT_EQ(variants.completion, GetParam().variants.completion);
  EXPECT_EQ(variants.commit_sequencer, GetParam().variants.commit_sequencer);
  EXPECT_EQ(variants.increment, GetParam().variants.increment);
}

INSTANTIATE_TEST_SUITE_P(Combinations, VariantsTest,
                         testing::ValuesIn(Combinations()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace shale
