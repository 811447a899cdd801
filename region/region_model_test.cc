// Random scripts against a region and its slow twin (testing/naive_region.h),
// with flushes, compactions, clean and unclean reopening mixed in. Equality is
// exact under both delete rules: the twin is told of each flush and compaction,
// and so knows what the rule `timestamp` lets them change.
//
// SHALE_MODEL_OPERATIONS says how many operations all tests of the twin run
// together. A mismatch prints the seed and the steps of a shrunk script, with
// which it is run again:
//   ./bazelw test --test_env=SHALE_TEST_SEED=4711
//     --test_env=SHALE_MODEL_STEPS=3,17 --test_filter=...
//     //region:region_model_test
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "shale/base/check.h"
#include "shale/base/testing/env_number.h"
#include "shale/base/testing/test_seed.h"
#include "shale/locking/row_commit_sequencer_variants.h"
#include "shale/region/region_components.h"
#include "shale/region/testing/model_runner.h"
#include "shale/region/testing/model_script.h"

namespace shale {
namespace {

constexpr uint64_t kOperations = 60'000;
constexpr int kShrinkAttempts = 300;

// Each rule's tests are split into parts, which may run side by side.
constexpr int kParts = 4;
constexpr int kRules = 3;

uint64_t OperationsOfOneTest() {
  return EnvNumber("SHALE_MODEL_OPERATIONS", kOperations) / (kRules * kParts);
}

// The steps that SHALE_MODEL_STEPS names, if it is set.
std::optional<std::vector<size_t>> GivenSteps() {
  const char* const given = std::getenv("SHALE_MODEL_STEPS");
  if (given == nullptr) return std::nullopt;
  std::vector<size_t> steps;
  for (const absl::string_view step : absl::StrSplit(given, ',')) {
    size_t number = 0;
    SHALE_CHECK(absl::SimpleAtoi(step, &number)) << step << " is no number";
    steps.push_back(number);
  }
  return steps;
}

// Two answers to one step that should be one.
struct Mismatch {
  size_t step;
  std::string got;
  std::string want;
};
using Comparison =
    absl::FunctionRef<std::optional<Mismatch>(const ModelScript&)>;

std::optional<Mismatch> Compare(const ModelRun& got, const ModelRun& want) {
  const std::optional<size_t> step = FirstDifference(got, want);
  if (!step.has_value()) return std::nullopt;
  const auto text = [&](const ModelRun& run) {
    return absl::StrCat(absl::CHexEscape(run.answers[*step]), " (committed at ",
                        run.commit_timestamps[*step], ")");
  };
  return Mismatch{*step, text(got), text(want)};
}

std::optional<Mismatch> CompareWithTwin(const ModelScript& script) {
  const ModelRun got = RunOnRegion(script);
  return Compare(got, RunOnTwin(script, got.commit_timestamps));
}

// With the plain clock for timestamps: those of a variant that sequences depend
// on when a region was reopened, for then all rows begin above its floor.
std::optional<Mismatch> CompareWithoutMaintenance(const ModelScript& script) {
  RegionComponents components = DefaultRegionComponents();
  components.commit_sequencer = RowCommitSequencerVariants().front().create;
  return Compare(RunOnRegion(script, components),
                 RunOnRegion(WithoutMaintenance(script), components));
}

// Says how to repeat `mismatch` of the script made from `seed`, with as few
// steps as ShrinkIndices finds.
std::string Report(uint64_t seed, const ModelScript& script,
                   const Mismatch& mismatch, Comparison compare) {
  const std::vector<size_t> steps =
      ShrinkIndices(mismatch.step + 1, kShrinkAttempts,
                    [&](const std::vector<size_t>& indices) {
                      return compare(script.Keep(indices)).has_value();
                    });
  const ModelScript shrunk = script.Keep(steps);
  const std::optional<Mismatch> rest = compare(shrunk);
  std::string text =
      absl::StrCat("SHALE_TEST_SEED=", seed,
                   " SHALE_MODEL_STEPS=", absl::StrJoin(steps, ","), "\n",
                   shrunk.ToString());
  const Mismatch& shown = rest.value_or(mismatch);
  absl::StrAppend(&text, rest.has_value() ? "" : "not seen again, first seen ",
                  "at step ", shown.step, ":\n  got:  ", shown.got,
                  "\n  want: ", shown.want, "\n");
  return text;
}

// Makes and compares scripts until they have come to `operations`; each has the
// seed after the one before.
void CompareScripts(uint64_t operations, const ModelScriptOptions& options,
                    Comparison compare) {
  uint64_t seed = TestSeed();
  const std::optional<std::vector<size_t>> given = GivenSteps();
  for (uint64_t done = 0; done < operations; ++seed) {
    ModelScript script = MakeModelScript(seed, options);
    if (given.has_value()) script = script.Keep(*given);
    const std::optional<Mismatch> mismatch = compare(script);
    if (given.has_value()) {
      EXPECT_FALSE(mismatch.has_value())
          << script.ToString() << "at step " << mismatch->step
          << ":\n  got:  " << mismatch->got << "\n  want: " << mismatch->want;
      return;
    }
    if (mismatch.has_value()) {
      FAIL() << Report(seed, script, *mismatch, compare);
    }
    done += script.operations();
  }
}

class RegionModelTest : public testing::TestWithParam<int> {};

TEST_P(RegionModelTest, AnswersAsItsTwinUnderSequence) {
  ModelScriptOptions options;
  options.delete_rule = DeleteRule::kSequence;
  CompareScripts(OperationsOfOneTest(), options, CompareWithTwin);
}

TEST_P(RegionModelTest, AnswersAsItsTwinUnderTimestamp) {
  ModelScriptOptions options;
  options.delete_rule = DeleteRule::kTimestamp;
  CompareScripts(OperationsOfOneTest(), options, CompareWithTwin);
}

TEST_P(RegionModelTest, AnswersAsItsTwinWithARuleForEachFamily) {
  CompareScripts(OperationsOfOneTest(), {}, CompareWithTwin);
}

// Without min_versions, whose one exception docs/deletes-and-versions.md gives.
TEST_P(RegionModelTest, FlushesAndCompactionsChangeNoAnswerUnderSequence) {
  ModelScriptOptions options;
  options.delete_rule = DeleteRule::kSequence;
  options.min_versions = false;
  CompareScripts(OperationsOfOneTest() / 2, options, CompareWithoutMaintenance);
}

INSTANTIATE_TEST_SUITE_P(Part, RegionModelTest, testing::Range(0, kParts));

}  // namespace
}  // namespace shale
