// Longer histories than the exhaustive test has, drawn at random: a small store
// that is written to, flushed and merged, against the model that only remembers
// what was written.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/test_seed.h"
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

// Files hold all cells of a range of numbers each, oldest first; the last one
// stands for the memstore.
class SmallStore {
 public:
  SmallStore(const RetentionRules& rules, Random& random)
      : rules_(rules), random_(random), model_(rules) {}

  // Now and then several cells, with one number.
  void Write(const std::vector<Cell>& alphabet) {
    newest_ = newest_ + 1;
    do {
      Cell cell = alphabet[random_.Uniform(alphabet.size())];
      cell.number = newest_;
      model_.Apply(cell);
      files_.back().push_back(cell);
    } while (random_.OneIn(5));
  }

  void Flush() {
    Rewrite(files_.size() - 1, files_.size());
    files_.emplace_back();
  }

  // A run of files, from the oldest or not.
  void Merge() {
    const size_t first = random_.Uniform(files_.size());
    Rewrite(first, first + 1 + random_.Uniform(files_.size() - first));
  }

  // Every file but some.
  void MergeScattered() {
    if (files_.size() < 3) return;
    const size_t left_out = 1 + random_.Uniform(files_.size() - 2);
    const std::vector<Cell> file = std::move(files_[left_out]);
    files_[left_out].clear();
    scattered_ = true;
    Rewrite(0, files_.size());
    scattered_ = false;
    // The result spans the other file's numbers: from now on they are one.
    files_[0].insert(files_[0].end(), file.begin(), file.end());
  }

  void AdvanceTime() { now_ += 1; }

  std::vector<Cell> stored() const {
    std::vector<Cell> cells;
    for (const auto& file : files_) {
      cells.insert(cells.end(), file.begin(), file.end());
    }
    return Sorted(std::move(cells));
  }

  // Reads at every point that a reader may still be at.
  void ExpectReadsAsTheModel() const {
    const std::vector<Cell> cells = stored();
    for (uint64_t n = pinned_.value; n <= newest_.value; ++n) {
      ReadView view{.read_point = {n}, .now = now_};
      view.max_versions = random_.OneIn(2) ? 1 : kAllVersions;
      if (random_.OneIn(3)) {
        view.time_range.min = static_cast<Timestamp>(random_.Uniform(4));
        view.time_range.max = static_cast<Timestamp>(4 + random_.Uniform(4));
      }
      const std::vector<Cell> seen =
          Included(VersionResolver(rules_, view), cells);
      const std::vector<Cell> expected = model_.Read("r", view);
      ASSERT_EQ(CellsText(seen), CellsText(expected))
          << "read point " << n << ", max_versions " << rules_.max_versions
          << ", now " << now_ << "; written " << CellsText(model_.cells())
          << "; stored " << CellsText(cells);
      ExpectOldCellsDontCount(view, cells);
    }
  }

 private:
  void ExpectOldCellsDontCount(const ReadView& view,
                               const std::vector<Cell>& cells) const {
    for (const DeleteRule rule :
         {DeleteRule::kSequence, DeleteRule::kTimestamp}) {
      RetentionRules rules = rules_;
      rules.delete_rule = rule;
      std::vector<Cell> newer;
      for (const Cell& cell : cells) {
        if (cell.timestamp >= OldestThatCounts(rules, view)) {
          newer.push_back(cell);
        }
      }
      EXPECT_EQ(CellsText(Included(VersionResolver(rules, view), newer)),
                CellsText(Included(VersionResolver(rules, view), cells)))
          << "time range from " << view.time_range.min << ", now " << view.now
          << ", stored " << CellsText(cells);
    }
  }

  // Merges files [first, end) into one.
  void Rewrite(size_t first, size_t end) {
    // Readers move on, some at a time.
    if (newest_ > pinned_) {
      pinned_ = pinned_ + random_.Uniform(newest_.value - pinned_.value + 1);
    }
    std::vector<Cell> inputs;
    for (size_t i = first; i < end; ++i) {
      inputs.insert(inputs.end(), files_[i].begin(), files_[i].end());
    }
    RewriteView view{
        .smallest_pinned = pinned_, .now = now_, .scope = RewriteScope::kRun};
    if (scattered_) {
      view.scope = RewriteScope::kScattered;
    } else if (first == 0 && random_.OneIn(2)) {
      view.scope = RewriteScope::kFromOldest;
    }
    files_.erase(files_.begin() + first, files_.begin() + end);
    files_.insert(
        files_.begin() + first,
        Included(VersionResolver(rules_, view), Sorted(std::move(inputs))));
  }

  const RetentionRules rules_;
  Random& random_;
  NaiveFamily model_;
  std::vector<std::vector<Cell>> files_{1};
  WriteNumber newest_;
  WriteNumber pinned_;
  Timestamp now_ = 0;
  bool scattered_ = false;
};

std::vector<Cell> Alphabet(Random& random, bool deletes_of_versions) {
  constexpr CellKind kKinds[] = {
      CellKind::kPut, CellKind::kDelete, CellKind::kDeleteColumn,
      CellKind::kDeleteFamilyVersion, CellKind::kDeleteFamily};
  const auto timestamps = static_cast<Timestamp>(2 + random.Uniform(6));
  const uint64_t put_weight = 1 + random.Uniform(3);
  std::vector<Cell> alphabet;
  for (const CellKind kind : kKinds) {
    const bool of_version =
        kind == CellKind::kDelete || kind == CellKind::kDeleteFamilyVersion;
    if (of_version && !deletes_of_versions) continue;
    if (IsDelete(kind) && random.OneIn(3)) continue;
    for (const char* qualifier : {"", "a"}) {
      for (Timestamp timestamp = 1; timestamp <= timestamps; ++timestamp) {
        if (IsFamilyDelete(kind) && qualifier[0] != '\0') continue;
        Cell cell;
        cell.row = "r";
        cell.qualifier = qualifier;
        cell.timestamp = timestamp;
        cell.kind = kind;
        alphabet.insert(alphabet.end(), IsDelete(kind) ? 1 : put_weight, cell);
      }
    }
  }
  return alphabet;
}

void RunStore(const RetentionRules& rules, bool deletes_of_versions,
              Random& random) {
  SmallStore store(rules, random);
  const std::vector<Cell> alphabet = Alphabet(random, deletes_of_versions);
  for (int step = 0; step < 40; ++step) {
    switch (random.Uniform(10)) {
      case 0:
        store.Flush();
        break;
      case 1:
        store.Merge();
        break;
      case 2:
        if (random.OneIn(3)) store.MergeScattered();
        break;
      case 3:
        store.AdvanceTime();
        break;
      default:
        store.Write(alphabet);
    }
    if (step % 5 == 0) store.ExpectReadsAsTheModel();
    if (testing::Test::HasFatalFailure()) return;
  }
}

// With --config=soak, many more.
int Rounds(int rounds) {
  return std::getenv("SHALE_SOAK") == nullptr ? rounds : 100 * rounds;
}

TEST(VersionResolverRandomTest, V2FlushesAndMergesChangeNoAnswer) {
  Random random(TestSeed());
  for (int round = 0; round < Rounds(500) && !HasFatalFailure(); ++round) {
    RunStore({.max_versions = 1 + static_cast<int>(random.Uniform(3))},
             /*deletes_of_versions=*/true, random);
  }
}

TEST(VersionResolverRandomTest, V2NorDoTheyWhileCellsExpire) {
  Random random(TestSeed());
  for (int round = 0; round < Rounds(400) && !HasFatalFailure(); ++round) {
    // Deletes of versions together with min_versions: the model's exception.
    const int min_versions = static_cast<int>(random.Uniform(3));
    RunStore({.max_versions = 1 + static_cast<int>(random.Uniform(3)),
              .min_versions = min_versions,
              .ttl = absl::Microseconds(1 + random.Uniform(4))},
             /*deletes_of_versions=*/min_versions == 0, random);
  }
}

}  // namespace
}  // namespace shale
