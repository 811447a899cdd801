#include "shale/filter/version_resolver.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/cell/cell.h"
#include "shale/cell/testing/cell_text.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"
#include "shale/filter/retention_rules.h"
#include "shale/filter/testing/naive_family.h"
#include "shale/filter/testing/resolve.h"

namespace shale {
namespace {

constexpr DeleteRule kSequence = DeleteRule::kSequence;
constexpr DeleteRule kTimestamp = DeleteRule::kTimestamp;
constexpr RewriteScope kScattered = RewriteScope::kScattered;
constexpr RewriteScope kRun = RewriteScope::kRun;
constexpr RewriteScope kFromOldest = RewriteScope::kFromOldest;

// Cells of one column, written as "put@7#9 del@6#3", in key order.
std::vector<Cell> Column(absl::string_view text) {
  std::vector<Cell> cells;
  for (absl::string_view one : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    const std::pair<std::string, std::string> kind_and_place =
        absl::StrSplit(one, absl::MaxSplits('@', 1));
    cells.push_back(ParseCellText(absl::StrCat("r/:q@", kind_and_place.second,
                                               " ", kind_and_place.first)));
  }
  return Sorted(std::move(cells));
}

std::string ColumnText(const std::vector<Cell>& cells) {
  return absl::StrJoin(cells, " ", [](std::string* out, const Cell& cell) {
    const std::pair<std::string, std::string> place_and_kind =
        absl::StrSplit(CellText(cell.view()).substr(5), ' ');
    absl::StrAppend(out, place_and_kind.second, "@", place_and_kind.first);
  });
}

struct ReadCase {
  const char* name;
  DeleteRule rule;
  int max_versions;
  const char* cells;
  uint64_t read_point;
  const char* visible;  // To a read of all versions.
};

constexpr ReadCase kReadCases[] = {
    {"PutAboveReadPointIsHidden", kSequence, 1, "put@7#9 put@5#3", 8,
     "put@5#3"},
    {"NewestTimestampWins", kSequence, 1, "put@7#4 put@5#9", 9, "put@7#4"},
    {"DeleteHidesOlderPut", kSequence, 3, "put@7#4 del@6#3 put@6#2 put@5#1", 9,
     "put@7#4 put@5#1"},
    {"DeleteAboveReadPointHidesNothing", kSequence, 1, "del@5#9 put@5#2", 8,
     "put@5#2"},
    {"DeleteColumnHidesAllOlderTimestamps", kSequence, 3,
     "put@7#1 delcol@6#4 put@6#3 put@5#2", 9, "put@7#1"},
    {"PutAfterDeleteIsVisible", kSequence, 3,
     "delcol@6#2 put@6#3 put@5#4 put@4#1", 9, "put@6#3 put@5#4"},
    {"PutAfterDeleteStaysHiddenByTimestamp", kTimestamp, 3,
     "delcol@6#2 put@7#1 put@6#3 put@5#4", 9, "put@7#1"},
    {"DeleteOfOneNumberMasksIt", kSequence, 1, "del@5#3 put@5#3", 9, ""},
    {"OverwrittenPutIsNoVersion", kSequence, 2, "put@5#9 put@5#8 put@4#1", 9,
     "put@5#9 put@4#1"},
    {"OverwrittenPutIsNoVersionByTimestamp", kTimestamp, 2,
     "put@5#9 put@5#8 put@4#1", 9, "put@5#9 put@4#1"},
    {"OverwritingPutAboveReadPointIsHidden", kSequence, 2, "put@5#9 put@5#8", 8,
     "put@5#8"},
    {"PutTwiceWithOneNumberCountsOnce", kSequence, 2, "put@5#3 put@5#3 put@4#1",
     9, "put@5#3 put@4#1"},
    {"ExcessPutStaysGoneWhenANewerOneIsDeleted", kSequence, 1,
     "del@7#3 put@7#2 put@5#1", 9, ""},
    {"ExcessPutComesBackByTimestamp", kTimestamp, 1, "del@7#3 put@7#2 put@5#1",
     9, "put@5#1"},
    {"PutAfterTheDeleteOfANewerOneIsVisible", kSequence, 1,
     "del@7#2 put@7#1 put@5#3", 9, "put@5#3"},
    {"ExcessPutHasNoShadow", kSequence, 1, "del@9#3 put@9#1 put@5#2 put@3#4", 9,
     "put@3#4"},
    {"MaskedPutKeepsItsShadow", kSequence, 2, "del@9#4 put@9#2 put@7#3 put@5#1",
     9, "put@7#3"},
    {"ShadowNeedsVersionsAliveTogether", kSequence, 2,
     "del@9#2 put@9#1 put@7#3 put@5#4", 9, "put@7#3 put@5#4"},
    // A58 and A59.
    {"DeleteMasksEveryPutOfItsVersion", kTimestamp, 1,
     "put@9#1 del@9#2 put@8#3 put@9#4", 9, "put@8#3"},
    // A60.
    {"DeleteColumnBeforeOtherMarkers", kTimestamp, 1,
     "delcol@9#3 del@8#2 put@7#1", 9, ""},
    // A62.
    {"MarkerOlderThanThePutHidesNothing", kTimestamp, 1, "delcol@1#2 put@2#1",
     9, "put@2#1"},
    // A74.
    {"PutAfterDeleteOfAllVersions", kSequence, 3,
     "put@11#1 put@12#2 put@13#3 put@14#4 delcol@20#5 put@10#6", 9, "put@10#6"},
};

class ReadTest : public testing::TestWithParam<ReadCase> {};

TEST_P(ReadTest, SeesExactlyTheVisibleCells) {
  const ReadCase& c = GetParam();
  const RetentionRules rules{.max_versions = c.max_versions,
                             .delete_rule = c.rule};
  const ReadView view{.read_point = {c.read_point},
                      .max_versions = kAllVersions};
  EXPECT_EQ(ColumnText(Included(VersionResolver(rules, view), Column(c.cells))),
            c.visible);
}

INSTANTIATE_TEST_SUITE_P(Table, ReadTest, testing::ValuesIn(kReadCases),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

struct RewriteCase {
  const char* name;
  DeleteRule rule;
  int max_versions;
  RewriteScope scope;
  const char* cells;
  uint64_t smallest_pinned;
  const char* kept;
};

constexpr RewriteCase kRewriteCases[] = {
    {"NumbersAboveThePinAreKept", kSequence, 1, kFromOldest,
     "put@7#9 del@5#8 put@5#3 put@4#2", 7, "put@7#9 del@5#8 put@5#3"},
    {"FromTheOldestKeepsOnlyWhatLives", kSequence, 2, kFromOldest,
     "put@9#6 del@8#5 put@8#4 delcol@6#3 put@6#7 put@5#2", 9,
     "put@9#6 put@6#7"},
    {"ARunKeepsItsMarkers", kSequence, 1, kRun, "del@5#2 put@4#1", 9,
     "del@5#2 put@4#1"},
    {"ARunDropsOlderWritesOfSmallerTimestamps", kSequence, 1, kRun,
     "put@9#4 del@8#3 put@7#2 put@6#1", 9, "put@9#4"},
    {"ARunKeepsSeveralVersions", kSequence, 2, kRun,
     "put@9#4 put@8#3 put@7#2 del@7#1 put@6#1", 9, "put@9#4 put@8#3"},
    {"ARunKeepsANewerWriteOfASmallerTimestamp", kSequence, 1, kRun,
     "put@9#1 put@8#2", 9, "put@9#1 put@8#2"},
    {"ARunKeepsAMaskedPutForItsShadow", kSequence, 1, kRun, "del@5#2 put@5#1",
     9, "del@5#2 put@5#1"},
    {"ARunDropsWhatADeleteColumnMasks", kSequence, 1, kRun,
     "delcol@9#5 del@5#2 put@5#1 put@4#6", 9, "delcol@9#5 put@4#6"},
    {"ARunDropsAPutThatNeverLived", kSequence, 1, kRun, "del@5#1 put@5#1", 9,
     "del@5#1"},
    {"ScatteredFilesDropOnlyBelowAMarker", kSequence, 1, kScattered,
     "put@9#7 delcol@8#5 put@5#6 put@4#3 delcol@3#2", 9,
     "put@9#7 delcol@8#5 put@5#6"},
    // An older file may hold put@9#1: then put@5#2 never lived and put@3#4
    // does.
    {"ARunDoesNotTrustThePutsOlderThanAPut", kSequence, 1, kRun,
     "put@5#2 del@9#3 put@3#4", 9, "del@9#3 put@5#2 put@3#4"},
    // Older files may hold two puts that kept put@3#1 from ever living.
    {"ARunNeedsSeveralVersionsNewerThanWhatItDrops", kSequence, 2, kRun,
     "put@3#1 put@2#3 put@1#2", 9, "put@3#1 put@2#3 put@1#2"},
    {"APartDropsMaskedAndExcessPutsByTimestamp", kTimestamp, 1, kRun,
     "put@9#1 put@8#2 del@7#3 put@7#4 delcol@5#5 put@5#6", 9,
     "put@9#1 del@7#3 delcol@5#5"},
    {"FromTheOldestDropsMarkersByTimestamp", kTimestamp, 1, kFromOldest,
     "put@9#1 del@7#3 put@7#4 delcol@5#9 put@5#6", 8, "put@9#1 delcol@5#9"},
    {"APutAboveThePinIsMaskedByTimestamp", kTimestamp, 2, kFromOldest,
     "put@9#9 delcol@7#3 put@7#8", 7, "put@9#9"},
    {"PutsAboveThePinAreNoVersions", kTimestamp, 1, kRun,
     "put@9#9 put@9#8 put@9#5 put@9#4 put@8#3", 7, "put@9#9 put@9#8 put@9#5"},
};

class RewriteTest : public testing::TestWithParam<RewriteCase> {};

TEST_P(RewriteTest, KeepsExactlyWhatIsNeeded) {
  const RewriteCase& c = GetParam();
  const RetentionRules rules{.max_versions = c.max_versions,
                             .delete_rule = c.rule};
  const RewriteView view{.smallest_pinned = {c.smallest_pinned},
                         .scope = c.scope};
  EXPECT_EQ(ColumnText(Included(VersionResolver(rules, view), Column(c.cells))),
            c.kept);
}

INSTANTIATE_TEST_SUITE_P(Table, RewriteTest, testing::ValuesIn(kRewriteCases),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

std::string Visible(const RetentionRules& rules, const ReadView& view,
                    absl::string_view cells) {
  return CellsText(
      Included(VersionResolver(rules, view), Sorted(ParseCellsText(cells))));
}

class BothRulesTest : public testing::TestWithParam<DeleteRule> {};

INSTANTIATE_TEST_SUITE_P(Rules, BothRulesTest,
                         testing::Values(kSequence, kTimestamp),
                         [](const auto& info) {
                           return info.param == kSequence ? "Sequence"
                                                          : "Timestamp";
                         });

// A61.
TEST_P(BothRulesTest, DeleteFamilyHidesEveryColumnOfItsRow) {
  EXPECT_EQ(Visible({.max_versions = 9, .delete_rule = GetParam()},
                    {.max_versions = kAllVersions},
                    "r/:@100#9 delfam, r/:b@11#1 put, r/:e@11#5 delcol, "
                    "r/:e@11#2 put, r/:g@11#6 del, r/:g@11#3 put, "
                    "s/:a@11#4 put"),
            "s/:a@11#4 put");
}

// A163.
TEST_P(BothRulesTest, DeleteFamilyVersionHidesItsTimestampInEveryColumn) {
  EXPECT_EQ(Visible({.max_versions = 9, .delete_rule = GetParam()},
                    {.max_versions = kAllVersions},
                    "r/:@5#9 delfamver, r/:@5#1 put, r/:a@8#2 put, "
                    "r/:a@5#3 put, r/:b@5#4 put, r/:b@3#5 put, r/:c@5#6 put"),
            "r/:a@8#2 put, r/:b@3#5 put");
}

// The marker sorts among the cells of the empty column, after a newer put that
// satisfies the read.
TEST_P(BothRulesTest, AFamilyMarkerIsSeenBehindAPutOfTheEmptyColumn) {
  EXPECT_EQ(Visible({.delete_rule = GetParam()}, {},
                    "r/:@9#3 put, r/:@8#4 put, r/:@5#9 delfam, r/:a@5#1 put"),
            "r/:@9#3 put");
}

// A84.
TEST_P(BothRulesTest, TimeRangesAndVersionsLimitARead) {
  const RetentionRules rules{.max_versions = kAllVersions,
                             .delete_rule = GetParam()};
  const absl::string_view cells =
      "r/:a@1#1 put, r/:a@2#2 put, r/:a@3#3 put, r/:a@4#4 put, r/:a@5#5 put";
  const auto count = [&](TimeRange range, int versions) {
    return ParseCellsText(
               Visible(rules, {.time_range = range, .max_versions = versions},
                       cells))
        .size();
  };
  EXPECT_EQ(count({0, 6}, kAllVersions), 5);
  EXPECT_EQ(count({1, 3}, kAllVersions), 2);
  EXPECT_EQ(count({5, 10}, kAllVersions), 1);
  EXPECT_EQ(count({0, 10}, 3), 3);
}

// A85.
TEST_P(BothRulesTest, OneVersionOfEachRow) {
  EXPECT_EQ(Visible({.max_versions = 9, .delete_rule = GetParam()}, {},
                    "r/:a@2#2 put, r/:a@1#1 put, s/:a@1#3 put"),
            "r/:a@2#2 put, s/:a@1#3 put");
}

TEST_P(BothRulesTest, AMarkerOutsideTheTimeRangeStillMasks) {
  EXPECT_EQ(Visible({.delete_rule = GetParam()}, {.time_range = {0, 5}},
                    "r/:a@9#2 delcol, r/:a@3#1 put"),
            "");
}

TEST(TimeRangeTest, VersionsAreCountedBeforeItBySequence) {
  const absl::string_view cells = "r/:a@9#2 put, r/:a@3#1 put";
  const ReadView view{.time_range = {0, 5}};
  EXPECT_EQ(Visible({}, view, cells), "");
  EXPECT_EQ(Visible({.delete_rule = kTimestamp}, view, cells), "r/:a@3#1 put");
}

// A79, with the time to live in microseconds.
TEST_P(BothRulesTest, ExpiredPutsAreHidden) {
  EXPECT_EQ(Visible({.ttl = absl::Microseconds(500), .delete_rule = GetParam()},
                    {.now = 20000},
                    "r/:a@19000#1 put, r/:b@19990#2 put, r/:c@19800#3 put, "
                    "r/:d@10000#4 put, s/:a@19500#5 put, s/:b@19499#6 put"),
            "r/:b@19990#2 put, r/:c@19800#3 put, s/:a@19500#5 put");
}

// A80.
TEST_P(BothRulesTest, AnExpiredMarkerDoesNotEndTheRow) {
  EXPECT_EQ(Visible({.ttl = absl::Microseconds(500), .delete_rule = GetParam()},
                    {.now = 20000}, "r/:@19000#2 delfam, r/:a@19990#1 put"),
            "r/:a@19990#1 put");
}

// A75: four expired puts, of which two outlive the time to live.
TEST_P(BothRulesTest, MinVersionsSurviveTheTimeToLive) {
  const RetentionRules rules{.max_versions = 1000,
                             .min_versions = 2,
                             .ttl = absl::Microseconds(1000),
                             .delete_rule = GetParam()};
  const absl::string_view cells =
      "r/:a@7997#1 put, r/:a@7998#2 put, r/:a@7999#3 put, r/:a@8000#4 put";
  EXPECT_EQ(Visible(rules, {.now = 10000}, cells), "r/:a@8000#4 put");
  EXPECT_EQ(Visible(rules, {.now = 10000, .max_versions = 9}, cells),
            "r/:a@8000#4 put, r/:a@7999#3 put");
  // By timestamp the puts outside the time range do not count.
  EXPECT_EQ(
      Visible(rules, {.now = 10000, .time_range = {0, 7998}, .max_versions = 9},
              cells),
      GetParam() == kTimestamp ? "r/:a@7997#1 put" : "");
}

// A76.
TEST(MinVersionsTest, AFlushDropsTheExpiredRestByTimestamp) {
  const RetentionRules rules{.max_versions = 1000,
                             .min_versions = 2,
                             .ttl = absl::Microseconds(1000),
                             .delete_rule = kTimestamp};
  EXPECT_EQ(ColumnText(Included(
                VersionResolver(rules, RewriteView{.smallest_pinned = {9},
                                                   .now = 10000,
                                                   .scope = kRun}),
                Column("put@7997#1 put@7998#2 put@7999#3 put@8000#4"))),
            "put@8000#4 put@7999#3");
}

// A77.
TEST_P(BothRulesTest, AgeOfTheVersionDecidesNotOfTheWrite) {
  const RetentionRules rules{.max_versions = 1000,
                             .min_versions = 2,
                             .ttl = absl::Microseconds(1000),
                             .delete_rule = GetParam()};
  EXPECT_EQ(Visible(rules, {.now = 10000, .max_versions = 9},
                    "r/:a@7998#1 put, r/:a@7999#2 put, r/:a@8000#3 put, "
                    "r/:a@7997#4 put, r/:a@8001#5 put"),
            "r/:a@8001#5 put, r/:a@8000#3 put");
}

// A78.
TEST_P(BothRulesTest, DeletesBeatMinVersions) {
  const RetentionRules rules{.max_versions = 1000,
                             .min_versions = 3,
                             .ttl = absl::Microseconds(1000),
                             .delete_rule = GetParam()};
  EXPECT_EQ(Visible(rules, {.now = 10000, .max_versions = 9},
                    "r/:a@7998#1 put, r/:a@7999#2 put, r/:a@8000#3 put, "
                    "r/:@7999#4 delfam"),
            "r/:a@8000#3 put");
}

TEST(TimeToLiveTest, EveryRewritingDropsExpiredCells) {
  const RetentionRules rules{.max_versions = 9, .ttl = absl::Microseconds(5)};
  EXPECT_EQ(ColumnText(Included(
                VersionResolver(rules,
                                RewriteView{.smallest_pinned = {9}, .now = 10}),
                Column("put@6#2 del@5#3 put@5#1 delcol@4#5 put@4#4"))),
            "put@6#2 del@5#3 put@5#1");
}

TEST(TimeToLiveTest, MinVersionsKeepTheRestUntilACompactionFromTheOldest) {
  const RetentionRules rules{
      .max_versions = 9, .min_versions = 1, .ttl = absl::Microseconds(5)};
  const auto kept = [&](RewriteScope scope) {
    return ColumnText(Included(
        VersionResolver(
            rules,
            RewriteView{.smallest_pinned = {9}, .now = 10, .scope = scope}),
        Column("put@4#3 put@3#2 put@2#1")));
  };
  EXPECT_EQ(kept(kRun), "put@4#3 put@3#2 put@2#1");
  EXPECT_EQ(kept(kFromOldest), "put@4#3");
}

// The one answer that depends on a compaction under the rule `sequence`; the
// model's chapter "The exception".
TEST(TimeToLiveTest, AHiddenPutComesBackIfNoCompactionDroppedIt) {
  const RetentionRules rules{
      .max_versions = 2, .min_versions = 1, .ttl = absl::Microseconds(5)};
  const ReadView read{.now = 20, .max_versions = 9};
  for (const bool compacted : {false, true}) {
    NaiveFamily family(rules);
    for (const Cell& cell : Column("put@9#2 put@8#1")) family.Apply(cell);
    EXPECT_EQ(ColumnText(family.Read("r", read)), "put@9#2");
    if (compacted) {
      family.Rewrite({{1}, {2}},
                     {.smallest_pinned = {2}, .now = 20, .scope = kFromOldest});
    }
    family.Apply(Column("del@9#3").front());
    EXPECT_EQ(ColumnText(family.Read("r", read)), compacted ? "" : "put@8#1");
    EXPECT_EQ(Included(VersionResolver(rules, read), family.cells()),
              family.Read("r", read));
  }
}

TEST(VersionResolverTest, ASatisfiedColumnIsLeftEarly) {
  using Verdict = VersionResolver::Verdict;
  VersionResolver resolver({.max_versions = 3}, ReadView{.max_versions = 2});
  const std::vector<Cell> cells = Column("put@9#4 put@8#3 put@7#2 put@6#1");
  EXPECT_EQ(resolver.Offer(cells[0].view()), Verdict::kInclude);
  EXPECT_EQ(resolver.Offer(cells[1].view()), Verdict::kIncludeAndNextColumn);
  EXPECT_EQ(resolver.Offer(cells[2].view()), Verdict::kNextColumn);
}

TEST(VersionResolverTest, AColumnBelowTheTimeRangeIsLeftEarly) {
  using Verdict = VersionResolver::Verdict;
  VersionResolver resolver({.max_versions = 3},
                           ReadView{.time_range = {5, 8}, .max_versions = 9});
  const std::vector<Cell> cells = Column("put@9#4 put@7#3 put@4#2");
  EXPECT_EQ(resolver.Offer(cells[0].view()), Verdict::kSkip);
  EXPECT_EQ(resolver.Offer(cells[1].view()), Verdict::kInclude);
  EXPECT_EQ(resolver.Offer(cells[2].view()), Verdict::kNextColumn);
}

}  // namespace
}  // namespace shale
