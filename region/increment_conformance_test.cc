// What increments, appends and checks promise, by every variant of
// --//region:increment with each variant of the seams that it works with. The
// numbers are those of the HBase issues in which it went wrong.
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/coding.h"
#include "shale/base/random.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/cell/tags.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/region/testing/increment_combinations.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

using ::testing::HasSubstr;

std::string Bytes(int64_t counter) {
  std::string bytes;
  PutBigEndian64(&bytes, static_cast<uint64_t>(counter));
  return bytes;
}

// "f:q=6 g:q=7", the cells of a result taken for counters.
std::string Counters(const RowResult& row) {
  std::string text;
  for (const Cell& cell : row.cells) {
    absl::StrAppend(&text, text.empty() ? "" : " ", cell.family, ":",
                    cell.qualifier, "=",
                    static_cast<int64_t>(DecodeBigEndian64(cell.value.data())));
  }
  return text;
}

class IncrementTest : public testing::TestWithParam<IncrementCombination> {
 protected:
  Region& region() { return host_.region(); }
  // The counter f:q of row "r".
  UpdateResult Count(int64_t delta, UpdateOptions options = {}) {
    return region().Increment(Increment("r", options).Add("f", "q", delta));
  }
  RowResult Row(absl::string_view row = "r") {
    const absl::StatusOr<RowResult> result =
        region().Read({std::string(row), {}});
    EXPECT_OK(result);
    return *result;
  }
  bool Check(CheckAndMutate check) {
    const UpdateResult result = region().CheckAndMutate(std::move(check));
    EXPECT_OK(result.status);
    return result.matched;
  }

  RetentionRules rules_{.max_versions = 3};
  TestHost host_{TestHost::Schema(rules_), {}, GetParam().options};
};

TEST_P(IncrementTest, CountsFromZeroAndReturnsTheSum) {
  const UpdateResult first = Count(5);
  ASSERT_OK(first.status);
  EXPECT_EQ(Counters(first.row), "f:q=5");
  const UpdateResult second = Count(-7);
  ASSERT_OK(second.status);
  EXPECT_EQ(Counters(second.row), "f:q=-2");
  host_.Reopen();
  EXPECT_EQ(Row().cells, second.row.cells);
}

// HBASE-18546: strictly rising.
TEST_P(IncrementTest, EachNewCellHasALargerTimestamp) {
  Timestamp last = -1;
  for (int i = 0; i < 20; ++i) {
    const UpdateResult result = Count(1);
    ASSERT_OK(result.status);
    EXPECT_GT(result.row.cells[0].timestamp, last);
    last = result.row.cells[0].timestamp;
  }
}

TEST_P(IncrementTest, OverflowWrapsAround) {
  ASSERT_OK(Count(std::numeric_limits<int64_t>::max()).status);
  EXPECT_EQ(Counters(Count(1).row),
            absl::StrCat("f:q=", std::numeric_limits<int64_t>::min()));
  EXPECT_EQ(Counters(Count(std::numeric_limits<int64_t>::min()).row), "f:q=0");
}

// HBASE-10252: an increment by 0 was written. HBASE-17318: and made a cell.
TEST_P(IncrementTest, ByZeroWritesNothingAndTellsWhatIsThere) {
  const WriteNumber before = region().Stats().write_point;
  EXPECT_EQ(Counters(Count(0).row), "");
  EXPECT_EQ(region().Stats().write_point, before);
  EXPECT_TRUE(Row().empty());
  ASSERT_OK(Count(3).status);
  const WriteNumber after = region().Stats().write_point;
  const UpdateResult zero = Count(0);
  ASSERT_OK(zero.status);
  EXPECT_EQ(Counters(zero.row), "f:q=3");
  EXPECT_EQ(zero.range, WriteRange());
  EXPECT_EQ(region().Stats().write_point, after);
}

TEST_P(IncrementTest, AValueOfAnotherLengthIsRefusedAndTheRowIsFree) {
  ASSERT_OK(region().Apply(RowMutation("r").Put("f", "q", "12345")));
  EXPECT_THAT(Count(1).status, StatusIs(absl::StatusCode::kInvalidArgument,
                                        HasSubstr("has 5 bytes")));
  ASSERT_OK(region().Apply(RowMutation("r").Put("f", "q", Bytes(8))));
  EXPECT_EQ(Counters(Count(1).row), "f:q=9");
}

// HBASE-16283, HBASE-19437: batch callers got null for results not wanted.
TEST_P(IncrementTest, ResultsCanBeUnwanted) {
  const UpdateResult result = Count(2, {.want_results = false});
  ASSERT_OK(result.status);
  EXPECT_TRUE(result.row.empty());
  MutationBatch batch;
  batch.mutations = {RowMutation("r").Increment("f", "q", 1),
                     RowMutation("s").Put("f", "q", "v")};
  EXPECT_TRUE(region().Apply(batch).rows.empty());
  batch.want_results = true;
  const ApplyResult wanted = region().Apply(batch);
  ASSERT_OK(wanted.status());
  ASSERT_EQ(wanted.rows.size(), 2);
  EXPECT_EQ(Counters(wanted.rows[0]), "f:q=4");
  EXPECT_TRUE(wanted.rows[1].empty());
}

// HBASE-10384, HBASE-12948, HBASE-13881: several columns in one operation, some
// twice, in any order. HBASE-21660: of several families.
TEST_P(IncrementTest, ManyColumnsInAnyOrderCountLikeAMap) {
  Random random(TestSeed());
  std::map<std::string, int64_t> model;
  for (int i = 0; i < 30; ++i) {
    Increment increment("r");
    std::map<std::string, int64_t> touched;
    const uint64_t columns = 1 + random.Uniform(6);
    for (uint64_t c = 0; c < columns; ++c) {
      const std::string family = random.Uniform(2) == 0 ? "f" : "g";
      const std::string qualifier = absl::StrCat(random.Uniform(4));
      const int64_t delta = static_cast<int64_t>(random.Uniform(7)) - 3;
      increment.Add(family, qualifier, delta);
      const std::string column = absl::StrCat(family, ":", qualifier);
      if (delta != 0 || model.count(column) > 0) {
        touched[column] = model[column] += delta;
      }
    }
    const UpdateResult result = region().Increment(increment);
    ASSERT_OK(result.status);
    const auto text = [](const std::map<std::string, int64_t>& counters) {
      std::string out;
      for (const auto& [column, value] : counters) {
        absl::StrAppend(&out, out.empty() ? "" : " ", column, "=", value);
      }
      return out;
    };
    ASSERT_EQ(Counters(result.row), text(touched));
    ASSERT_EQ(Counters(Row()), text(model));
    if (i % 10 == 5) {
      ASSERT_OK(region().Flush());
    }
  }
}

// HBASE-15698: the range was lost on the way.
TEST_P(IncrementTest, CountsOnlyWhatIsInItsTimeRange) {
  ASSERT_OK(region().Apply(RowMutation("r").Put("f", "q", Bytes(5), 100)));
  const UpdateResult outside = region().Increment(
      Increment("r").Add("f", "q", 1, TimeRange{101, kMaxTimestamp}));
  EXPECT_EQ(Counters(outside.row), "f:q=1");
  const UpdateResult inside =
      region().Increment(Increment("r").Add("f", "q", 1, TimeRange{100, 101}));
  EXPECT_EQ(Counters(inside.row), "f:q=6");
}

// HBASE-18030, HBASE-25827: the tag of a time to live, of type 8, doubled each
// time.
TEST_P(IncrementTest, TagsAreCarriedOnAndNeverDouble) {
  std::string given, other;
  AppendTag({1, "label"}, &given);
  AppendTag({8, "ttl"}, &given);
  AppendTag({2, "other"}, &other);
  ASSERT_OK(
      region().Apply(RowMutation("r").Put("f", "q", Bytes(0)).WithTags(other)));
  UpdateResult result;
  for (int i = 0; i < 1000; ++i) {
    result =
        region().Increment(Increment("r").Add("f", "q", 1).WithTags(given));
    ASSERT_OK(result.status);
  }
  EXPECT_EQ(result.row.cells[0].tags, given + other);
  EXPECT_EQ(Counters(Count(1).row), "f:q=1001");
  EXPECT_EQ(Row().cells[0].tags, given + other);
}

TEST_P(IncrementTest, UnknownFamilyAndBadTagsAreRefused) {
  EXPECT_THAT(region().Increment(Increment("r").Add("x", "q", 1)).status,
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(region().Append(Append("r").Add("x", "q", "v")).status,
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(
      region().Increment(Increment("r").Add("f", "q", 1).WithTags("x")).status,
      StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(
      region().Increment(Increment("r").Add("f", "q", 1, {9, 3})).status,
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("time range")));
}

TEST_P(IncrementTest, BuildsOnEarlierEditsOfItsBatch) {
  MutationBatch batch;
  batch.want_results = true;
  batch.mutations = {
      RowMutation("r").Put("f", "q", Bytes(40)).Increment("f", "q", 2),
      RowMutation("r").DeleteRow().Increment("g", "q", 7),
      RowMutation("r").Increment("f", "q", 1)};
  const ApplyResult result = region().Apply(batch);
  ASSERT_OK(result.status());
  EXPECT_EQ(Counters(result.rows[0]), "f:q=42");
  EXPECT_EQ(Counters(result.rows[1]), "g:q=7");
  EXPECT_EQ(Counters(result.rows[2]), "f:q=1");
  EXPECT_EQ(Counters(Row()), "f:q=1 g:q=7");
}

TEST_P(IncrementTest, ARefusedMutationTakesAllOfAnAtomicBatchWithIt) {
  ASSERT_OK(region().Apply(RowMutation("s").Put("f", "q", "short")));
  MutationBatch batch;
  batch.mutations = {RowMutation("r").Increment("f", "q", 1),
                     RowMutation("s").Increment("f", "q", 1)};
  const ApplyResult apart = region().Apply(batch);
  EXPECT_OK(apart.statuses[0]);
  EXPECT_THAT(apart.statuses[1], StatusIs(absl::StatusCode::kInvalidArgument));
  batch.atomic = true;
  const ApplyResult together = region().Apply(batch);
  EXPECT_THAT(together.statuses[0], StatusIs(absl::StatusCode::kAborted));
  EXPECT_THAT(together.statuses[1],
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(Counters(Row()), "f:q=1");
}

TEST_P(IncrementTest, ReadsStoreFilesAndWhatCameAfterThem) {
  ASSERT_OK(Count(1).status);
  ASSERT_OK(region().Flush());
  EXPECT_EQ(Counters(Count(1).row), "f:q=2");
  ASSERT_OK(region().Apply(RowMutation("r").DeleteColumn("f", "q")));
  ASSERT_OK(region().Flush());
  EXPECT_EQ(Counters(Count(5).row), "f:q=5");
  // A put in a file with a timestamp of the future comes before all.
  const Timestamp future = absl::ToUnixMicros(absl::Now() + absl::Hours(1));
  ASSERT_OK(region().Apply(RowMutation("r").Put("f", "q", Bytes(70), future)));
  ASSERT_OK(region().Flush());
  const UpdateResult above = Count(1);
  EXPECT_EQ(Counters(above.row), "f:q=71");
  EXPECT_EQ(above.row.cells[0].timestamp, future + 1);
  ASSERT_OK(region().Compact());
  EXPECT_EQ(Counters(Count(1).row), "f:q=72");
}

TEST_P(IncrementTest, AppendsLengthenValuesOfUnsortedColumns) {
  ASSERT_OK(region()
                .Append(Append("r", {.want_results = false})
                            .Add("f", "1", "a")
                            .Add("g", "2", "b"))
                .status);
  const UpdateResult result = region().Append(Append("r")
                                                  .Add("g", "2", "B")
                                                  .Add("f", "1", "A")
                                                  .Add("g", "1", "C")
                                                  .Add("f", "1", "!"));
  ASSERT_OK(result.status);
  EXPECT_EQ(Text(result.row, false), "r/f:1=aA! r/g:1=C r/g:2=bB");
  EXPECT_EQ(ReadText(region(), "r", {}, false), Text(result.row, false));
}

TEST_P(IncrementTest, AnAppendThatOutgrowsItsReservationStartsOver) {
  const std::string much(20000, 'x');
  std::string all;
  for (int i = 0; i < 5; ++i) {
    all += much;
    const UpdateResult result =
        region().Append(Append("r").Add("f", "q", much));
    ASSERT_OK(result.status);
    ASSERT_EQ(result.row.Value("f", "q"), all);
    all += "-";
    ASSERT_OK(region().Append(Append("r").Add("f", "q", "-")).status);
  }
  host_.Reopen();
  EXPECT_EQ(Row().Value("f", "q"), all);
}

TEST_P(IncrementTest, OneMutationMayPutDeleteCountAndAppend) {
  ASSERT_OK(region().Apply(RowMutation("r")
                               .Put("f", "2", "toBeDeleted")
                               .Put("f", "3", Bytes(5))
                               .Put("f", "4", "a")));
  MutationBatch batch;
  batch.want_results = true;
  batch.mutations.push_back(RowMutation("r")
                                .Put("f", "1", "v1")
                                .DeleteColumn("f", "2")
                                .Increment("f", "3", 1)
                                .Append("f", "4", "b"));
  const ApplyResult result = region().Apply(batch);
  ASSERT_OK(result.status());
  EXPECT_EQ(result.rows[0].Value("f", "3"), Bytes(6));
  EXPECT_EQ(result.rows[0].Value("f", "4"), "ab");
  EXPECT_EQ(result.rows[0].cells.size(), 2);
  EXPECT_EQ(Row().Value("f", "1"), "v1");
  EXPECT_EQ(Row().Value("f", "2"), std::nullopt);
  EXPECT_EQ(Row().Value("f", "4"), "ab");
}

RowMutation PutQ(absl::string_view value) {
  return RowMutation("r").Put("f", "q", value);
}

TEST_P(IncrementTest, AnEmptyValueMatchesAbsentAndEmptyCells) {
  const auto if_equals = [](absl::string_view value, RowMutation mutation) {
    return CheckAndMutate("r", std::move(mutation)).IfEquals("f", "q", value);
  };
  EXPECT_TRUE(Check(if_equals("", PutQ(""))));
  EXPECT_TRUE(Check(if_equals("", PutQ("val1"))));
  EXPECT_FALSE(Check(if_equals("", PutQ("no"))));
  EXPECT_FALSE(Check(if_equals("", RowMutation("r").DeleteRow())));
  EXPECT_TRUE(Check(if_equals("val1", PutQ("val2"))));
  EXPECT_TRUE(Check(if_equals(
      "val2", RowMutation("r").DeleteColumn("f", "q").DeleteColumn("f", "q"))));
  EXPECT_TRUE(Check(if_equals("", RowMutation("r").DeleteRow())));
  EXPECT_TRUE(Check(CheckAndMutate("r", PutQ("last")).IfNotExists("f", "q")));
  EXPECT_FALSE(Check(CheckAndMutate("r", PutQ("no")).IfNotExists("f", "q")));
  EXPECT_EQ(Row().Value("f", "q"), "last");
}

TEST_P(IncrementTest, ComparisonsReadAsGivenThenStored) {
  struct Case {
    Comparison comparison;
    const char* holds_for;  // Of "2", "3", "4" against a stored "3".
  };
  const Case cases[] = {
      {Comparison::kEqual, "3"},   {Comparison::kNotEqual, "24"},
      {Comparison::kLess, "2"},    {Comparison::kLessOrEqual, "23"},
      {Comparison::kGreater, "4"}, {Comparison::kGreaterOrEqual, "34"}};
  for (const Case& c : cases) {
    std::string holds_for;
    for (const char* given : {"2", "3", "4"}) {
      ASSERT_OK(region().Apply(PutQ("3")));
      if (Check(CheckAndMutate("r", PutQ("5"))
                    .If("f", "q", c.comparison, given))) {
        holds_for += given;
      }
    }
    EXPECT_EQ(holds_for, c.holds_for);
  }
}

TEST_P(IncrementTest, AllConditionsHaveToHoldWithinTheirTimeRanges) {
  ASSERT_OK(region().Apply(
      RowMutation("r").Put("f", "A", "a", 100).Put("f", "B", "b", 100)));
  const auto put = [](absl::string_view qualifier) {
    return RowMutation("r").Put("g", qualifier, "x");
  };
  EXPECT_TRUE(Check(CheckAndMutate("r", put("1"))
                        .IfEquals("f", "A", "a")
                        .IfEquals("f", "B", "b")));
  EXPECT_FALSE(Check(CheckAndMutate("r", put("2"))
                         .IfEquals("f", "A", "a")
                         .IfEquals("f", "B", "c")));
  EXPECT_TRUE(
      Check(CheckAndMutate("r", put("3")).IfEquals("f", "A", "a", {0, 101})));
  EXPECT_FALSE(
      Check(CheckAndMutate("r", put("4")).IfEquals("f", "A", "a", {0, 100})));
  EXPECT_EQ(ReadText(region(), "r", {}, false),
            "r/f:A=a r/f:B=b r/g:1=x r/g:3=x");
}

TEST_P(IncrementTest, ACheckOfAnotherRowIsRefused) {
  EXPECT_THAT(
      region()
          .CheckAndMutate(CheckAndMutate("s", PutQ("v")).IfNotExists("f", "q"))
          .status,
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("the check is of row s")));
  EXPECT_THAT(region().CheckAndMutate(CheckAndMutate("r", PutQ("v"))).status,
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_TRUE(Row().empty());
}

TEST_P(IncrementTest, ACheckMayGuardACount) {
  const auto guarded = [] {
    return CheckAndMutate("r", RowMutation("r").Increment("f", "q", 1))
        .If("f", "q", Comparison::kNotEqual, Bytes(2));
  };
  EXPECT_EQ(Counters(region().CheckAndMutate(guarded()).row), "f:q=1");
  EXPECT_EQ(Counters(region().CheckAndMutate(guarded()).row), "f:q=2");
  const UpdateResult third = region().CheckAndMutate(guarded());
  ASSERT_OK(third.status);
  EXPECT_FALSE(third.matched);
  EXPECT_TRUE(third.row.empty());
}

INSTANTIATE_TEST_SUITE_P(Combinations, IncrementTest,
                         testing::ValuesIn(IncrementCombinations()),
                         [](const auto& info) { return info.param.name; });

// On a clock that a test moves, or doesn't.
class IncrementClockTest : public testing::TestWithParam<IncrementCombination> {
 protected:
  static constexpr Timestamp kStart = 1'000'000'000;

  IncrementClockTest() { EXPECT_OK(host_.Open()); }
  void SetClock(Timestamp t) { clock_.SetWall(absl::FromUnixMicros(t)); }
  Region& region() { return host_.region(); }

  ManualClock clock_{absl::FromUnixMicros(kStart)};
  ThreadPoolExecutor executor_{1, clock_};
  MemoryFileSystem memory_{executor_};
  TestHost host_{memory_,
                 TestHost::Schema({.max_versions = 100}),
                 {},
                 GetParam().options,
                 clock_};
};

TEST_P(IncrementClockTest, ATimestampIsNeverBelowTheOldOnePlusOne) {
  const auto count = [&] {
    return region().Increment(Increment("r").Add("f", "q", 1));
  };
  EXPECT_EQ(count().row.cells[0].timestamp, kStart);
  SetClock(kStart - 9);
  EXPECT_EQ(count().row.cells[0].timestamp, kStart + 1);
  const auto append = [&] {
    return region().Append(Append("r").Add("f", "a", "x"));
  };
  EXPECT_EQ(append().row.cells[0].timestamp, kStart - 9);
  SetClock(kStart - 20);
  EXPECT_EQ(Text(append().row), "r/f:a@999999992=xx");
}

TEST_P(IncrementClockTest, ACheckedPutIsNotOlderThanWhatWasChecked) {
  ASSERT_OK(region().Apply(RowMutation("r").Put("f", "q", "a")));
  SetClock(kStart - 9);
  ASSERT_OK(region()
                .CheckAndMutate(
                    CheckAndMutate("r", RowMutation("r").Put("f", "q", "b"))
                        .IfEquals("f", "q", "a"))
                .status);
  EXPECT_EQ(ReadText(region(), "r"), "r/f:q@1000000000=b");
}

// HBASE-2863: within one tick, memstore and snapshot hid each other's cells.
TEST_P(IncrementClockTest, CountsOfOneTickAreNotLostAcrossFlushes) {
  for (int i = 1; i <= 12; ++i) {
    ASSERT_OK(region().Increment(Increment("r").Add("f", "q", 1)).status);
    if (i % 3 == 0) {
      ASSERT_OK(region().Flush());
    }
  }
  EXPECT_EQ(Counters(*region().Read({"r", {}})), "f:q=12");
}

TEST_P(IncrementClockTest, APlainGetSeesWhatSlowAndPipelinedHaveAnswered) {
  ASSERT_OK(region().Increment(Increment("r").Add("f", "q", 4)).status);
  Get get{"r", {}};
  get.options.isolation = IsolationLevel::kReadUncommitted;
  EXPECT_EQ(Counters(*region().Read(get)), "f:q=4");
  if (GetParam().increment == "narrow") return;
  EXPECT_EQ(Counters(*region().Read({"r", {}})), "f:q=4");
}

INSTANTIATE_TEST_SUITE_P(Combinations, IncrementClockTest,
                         testing::ValuesIn(IncrementMvccCombinations()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace shale
