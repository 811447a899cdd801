// Every small history, every way to rewrite a part of it, every read: after a
// step of rewriting the model's answers must be the same, now and after
// whatever is written later. As what a store holds after some steps is itself a
// small history, this covers any sequence of steps.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_kind.h"
#include "shale/cell/testing/cell_text.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"
#include "shale/filter/retention_rules.h"
#include "shale/filter/testing/naive_family.h"
#include "shale/filter/testing/resolve.h"
#include "shale/filter/version_resolver.h"

namespace shale {
namespace {

using History = std::vector<Cell>;  // In the order of writing.

// With --config=soak histories are longer.
bool Soak() { return std::getenv("SHALE_SOAK") != nullptr; }

// Cells of row "r" from texts like "a@2 put".
std::vector<Cell> Alphabet(const std::vector<absl::string_view>& kinds,
                           const std::vector<absl::string_view>& columns,
                           int timestamps) {
  std::vector<Cell> alphabet;
  for (absl::string_view kind : kinds) {
    for (absl::string_view column : columns) {
      for (int timestamp = 1; timestamp <= timestamps; ++timestamp) {
        const Cell cell = ParseCellText(
            absl::StrCat("r/:", column, "@", timestamp, "#0 ", kind));
        if (!IsFamilyDelete(cell.kind) || cell.qualifier.empty()) {
          alphabet.push_back(cell);
        }
      }
    }
  }
  return alphabet;
}

// Calls `test` with every history of `length` writes from the alphabet. With
// `shared_numbers` also those in which neighbours have one number.
template <typename Test>
void ForEachHistory(const std::vector<Cell>& alphabet, int length,
                    bool shared_numbers, const Test& test) {
  std::vector<size_t> choice(length, 0);
  for (;;) {
    for (int ties = 0; ties < (shared_numbers ? 1 << (length - 1) : 1);
         ++ties) {
      History history;
      uint64_t number = 0;
      for (int i = 0; i < length; ++i) {
        if (i == 0 || (ties >> (i - 1) & 1) == 0) ++number;
        history.push_back(alphabet[choice[i]]);
        history.back().number = WriteNumber{number};
      }
      test(history);
      if (testing::Test::HasFailure()) return;
    }
    int i = 0;
    while (i < length && ++choice[i] == alphabet.size()) choice[i++] = 0;
    if (i == length) return;
  }
}

using Answer = std::vector<Cell>;  // Printed only when it differs.

Answer Read(const NaiveFamily& family, uint64_t read_point, Timestamp now) {
  return family.Read(
      "r",
      {.read_point = {read_point}, .now = now, .max_versions = kAllVersions});
}

// What the read at each read point sees, by the model.
std::vector<Answer> Answers(const RetentionRules& rules, const History& history,
                            Timestamp now) {
  NaiveFamily family(rules);
  for (const Cell& cell : history) family.Apply(cell);
  std::vector<Answer> answers;
  for (uint64_t n = 0; n <= history.back().number.value; ++n) {
    answers.push_back(Read(family, n, now));
  }
  return answers;
}

// The history after those cells that are `inputs` have been rewritten.
template <typename IsInput>
History Rewritten(const RetentionRules& rules, const History& history,
                  const RewriteView& view, const IsInput& is_input) {
  History inputs;
  History rewritten;
  for (const Cell& cell : history) {
    (is_input(cell) ? inputs : rewritten).push_back(cell);
  }
  inputs = Included(VersionResolver(rules, view), Sorted(std::move(inputs)));
  rewritten.insert(rewritten.end(), inputs.begin(), inputs.end());
  return rewritten;
}

// Reads from the smallest pinned number on see the same after rewriting.
template <typename IsInput>
void ExpectNoAnswerChanges(const RetentionRules& rules, const History& history,
                           const std::vector<Answer>& before,
                           const RewriteView& view, const IsInput& is_input,
                           Timestamp read_now) {
  const History after = Rewritten(rules, history, view, is_input);
  if (after.size() == history.size()) return;
  NaiveFamily family(rules);
  for (const Cell& cell : after) family.Apply(cell);
  for (uint64_t n = view.smallest_pinned.value; n < before.size(); ++n) {
    const Answer answer = Read(family, n, read_now);
    if (answer == before[n]) continue;
    FAIL() << CellsText(history) << " of which remain " << CellsText(after)
           << ": read point " << n << " sees " << CellsText(answer)
           << ", before " << CellsText(before[n]) << "; max_versions "
           << rules.max_versions << ", min_versions " << rules.min_versions
           << ", smallest pinned " << view.smallest_pinned << ", scope "
           << static_cast<int>(view.scope) << ", now " << view.now << ", then "
           << read_now;
  }
}

// Every rewriting of a range of numbers, with every smallest pinned number.
void ExpectRunsChangeNoAnswer(const RetentionRules& rules,
                              const History& history,
                              const std::vector<Answer>& before, Timestamp now,
                              Timestamp read_now) {
  const uint64_t end = history.back().number.value;
  for (uint64_t first = 1; first <= end; ++first) {
    for (uint64_t last = first; last <= end; ++last) {
      const auto is_input = [&](const Cell& cell) {
        return first <= cell.number.value && cell.number.value <= last;
      };
      for (uint64_t pinned = first; pinned <= last; ++pinned) {
        RewriteView view{.smallest_pinned = {pinned},
                         .now = now,
                         .scope = RewriteScope::kRun};
        ExpectNoAnswerChanges(rules, history, before, view, is_input, read_now);
        if (first > 1) continue;
        view.scope = RewriteScope::kFromOldest;
        ExpectNoAnswerChanges(rules, history, before, view, is_input, read_now);
      }
    }
  }
}

struct Space {
  const char* name;
  std::vector<absl::string_view> kinds;
  std::vector<absl::string_view> columns;
  int timestamps;
  int length;
  int soak_length;
  bool shared_numbers;
};

const Space kSpaces[] = {
    {"OneColumn", {"put", "del", "delcol"}, {"a"}, 3, 3, 5, false},
    {"VersionDeletes", {"put", "del"}, {"a"}, 3, 3, 6, false},
    {"ColumnDeletes", {"put", "delcol"}, {"a"}, 3, 3, 6, false},
    {"SharedNumbers", {"put", "del", "delcol"}, {"a"}, 2, 3, 4, true},
    {"TwoColumns",
     {"put", "del", "delcol", "delfam", "delfamver"},
     {"", "a"},
     2,
     2,
     3,
     true},
    {"FamilyDeletes", {"put", "delfam"}, {"", "a"}, 2, 3, 4, true},
};

class SpaceTest : public testing::TestWithParam<Space> {
 protected:
  template <typename Test>
  void ForEach(const Test& test) {
    const Space& space = GetParam();
    ForEachHistory(Alphabet(space.kinds, space.columns, space.timestamps),
                   Soak() ? space.soak_length : space.length,
                   space.shared_numbers, test);
  }
};

TEST_P(SpaceTest, V1ReadsSeeWhatTheModelSees) {
  for (const DeleteRule rule :
       {DeleteRule::kSequence, DeleteRule::kTimestamp}) {
    for (const int max_versions : {1, 2}) {
      const RetentionRules rules{.max_versions = max_versions,
                                 .delete_rule = rule};
      ForEach([&](const History& history) {
        NaiveFamily family(rules);
        for (const Cell& cell : history) family.Apply(cell);
        const std::vector<Cell> cells = family.cells();
        for (uint64_t n = 1; n <= history.back().number.value; ++n) {
          for (const TimeRange& range : {TimeRange{}, TimeRange{1, 3}}) {
            for (const int wanted : {1, kAllVersions}) {
              const ReadView view{.read_point = {n},
                                  .time_range = range,
                                  .max_versions = wanted};
              const Answer answer =
                  Included(VersionResolver(rules, view), cells);
              const Answer model = family.Read("r", view);
              if (answer == model) continue;
              FAIL() << CellsText(history) << " at " << n << ": "
                     << CellsText(answer) << ", by the model "
                     << CellsText(model) << "; max_versions " << max_versions
                     << ", wanted " << wanted << ", before " << range.max;
            }
          }
        }
      });
    }
  }
}

void ExpectRunsChangeNoAnswer(const History& history) {
  for (const int max_versions : {1, 2}) {
    const RetentionRules rules{.max_versions = max_versions};
    ExpectRunsChangeNoAnswer(rules, history, Answers(rules, history, 0), 0, 0);
  }
}

TEST_P(SpaceTest, V2RewritingARunChangesNoAnswer) {
  ForEach([](const History& history) { ExpectRunsChangeNoAnswer(history); });
}

// The shortest history in which a run can be wrong about its puts has four
// writes: see the model.
TEST(RunTest, V2ThatKnowsNoOlderPutsChangesNoAnswer) {
  ForEachHistory(
      Alphabet({"put", "del"}, {"a"}, 3), 4, /*shared_numbers=*/false,
      [](const History& history) { ExpectRunsChangeNoAnswer(history); });
}

TEST_P(SpaceTest, V2RewritingAnyCellsChangesNoAnswer) {
  const RetentionRules rules;
  ForEach([&](const History& history) {
    const std::vector<Answer> before = Answers(rules, history, 0);
    for (size_t subset = 1; subset < size_t{1} << history.size(); ++subset) {
      const auto is_input = [&](const Cell& cell) {
        // A cell that was written twice, under one number, is one cell.
        const auto place = std::find(history.begin(), history.end(), cell);
        return (subset >> (place - history.begin()) & 1) != 0;
      };
      const RewriteView view{.smallest_pinned = history.back().number,
                             .scope = RewriteScope::kScattered};
      ExpectNoAnswerChanges(rules, history, before, view, is_input, 0);
    }
  });
}

// Timestamp 1 is expired at 5, 2 at 6.
TEST_P(SpaceTest, V2RewritingChangesNoAnswerWhileCellsExpire) {
  for (const int min_versions : {0, 1}) {
    // Deletes of single versions are the exception of the model.
    if (min_versions > 0 && absl::c_linear_search(GetParam().kinds, "del")) {
      continue;
    }
    const RetentionRules rules{.max_versions = 2,
                               .min_versions = min_versions,
                               .ttl = absl::Microseconds(3)};
    ForEach([&](const History& history) {
      for (const Timestamp read_now : {5, 6}) {
        ExpectRunsChangeNoAnswer(
            rules, history, Answers(rules, history, read_now), 5, read_now);
      }
    });
  }
}

TEST_P(SpaceTest, RewritingByTimestampKeepsWhatTheTwinKeeps) {
  for (const int max_versions : {1, 2}) {
    const RetentionRules rules{.max_versions = max_versions,
                               .min_versions = max_versions - 1,
                               .ttl = absl::Microseconds(3),
                               .delete_rule = DeleteRule::kTimestamp};
    ForEach([&](const History& history) {
      const uint64_t end = history.back().number.value;
      for (uint64_t pinned = 1; pinned <= end; ++pinned) {
        for (const RewriteScope scope :
             {RewriteScope::kRun, RewriteScope::kFromOldest}) {
          const RewriteView view{
              .smallest_pinned = {pinned}, .now = 5, .scope = scope};
          NaiveFamily twin(rules);
          for (const Cell& cell : history) twin.Apply(cell);
          const std::vector<Cell> kept =
              Included(VersionResolver(rules, view), twin.cells());
          twin.Rewrite({{1}, {end}}, view);
          if (kept == twin.cells()) continue;
          FAIL() << CellsText(history) << ": kept " << CellsText(kept)
                 << ", by the twin " << CellsText(twin.cells());
        }
      }
    });
  }
}

TEST_P(SpaceTest, OnlyDeletesOfVersionsMakeTheTimestampRuleDependOnAFlush) {
  const auto deletes_versions = [](const Cell& cell) {
    return cell.kind == CellKind::kDelete ||
           cell.kind == CellKind::kDeleteFamilyVersion;
  };
  for (const int max_versions : {1, 2}) {
    const RetentionRules rules{.max_versions = max_versions,
                               .delete_rule = DeleteRule::kTimestamp};
    ForEach([&](const History& history) {
      if (absl::c_any_of(history, deletes_versions)) return;
      const std::vector<Answer> before = Answers(rules, history, 0);
      for (uint64_t first = 1; first < before.size(); ++first) {
        for (uint64_t last = first; last < before.size(); ++last) {
          const auto is_input = [&](const Cell& cell) {
            return first <= cell.number.value && cell.number.value <= last;
          };
          const RewriteView view{.smallest_pinned = {last},
                                 .scope = RewriteScope::kRun};
          ExpectNoAnswerChanges(rules, history, before, view, is_input, 0);
        }
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Exhaustive, SpaceTest, testing::ValuesIn(kSpaces),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace shale
