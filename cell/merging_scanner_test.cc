#include "shale/cell/merging_scanner.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/cell_scanner.h"
#include "shale/cell/testing/cell_text.h"
#include "shale/cell/vector_scanner.h"

namespace shale {
namespace {

std::unique_ptr<CellScanner> Merge(
    const std::vector<std::vector<Cell>>& sources) {
  std::vector<std::unique_ptr<CellScanner>> scanners;
  for (const std::vector<Cell>& source : sources) {
    scanners.push_back(NewVectorScanner(source));
  }
  return NewMergingScanner(std::move(scanners));
}

std::unique_ptr<CellScanner> MergeTexts(
    const std::vector<absl::string_view>& sources) {
  std::vector<std::vector<Cell>> cells;
  for (absl::string_view text : sources) cells.push_back(ParseCellsText(text));
  return Merge(cells);
}

// What is left of the scan, as text. Checks that the keys are those of the
// cells.
std::string Rest(CellScanner& scanner) {
  std::vector<Cell> cells;
  while (scanner.cell() != nullptr) {
    cells.emplace_back(*scanner.cell());
    std::string key;
    AppendCellKey(*scanner.cell(), &key);
    EXPECT_EQ(scanner.key(), key);
    EXPECT_OK(scanner.Next());
  }
  return CellsText(cells);
}

// Gives `cells` and fails in the call after the `calls`th.
class FailingScanner final : public CellScanner {
 public:
  FailingScanner(std::vector<Cell> cells, int calls)
      : scanner_(NewVectorScanner(std::move(cells))), calls_left_(calls) {}

  absl::Status Seek(absl::string_view key) override {
    return calls_left_-- > 0 ? scanner_->Seek(key) : Error();
  }
  absl::Status Next() override {
    return calls_left_-- > 0 ? scanner_->Next() : Error();
  }
  const CellView* cell() const override {
    return calls_left_ < 0 ? nullptr : scanner_->cell();
  }
  absl::string_view key() const override { return scanner_->key(); }

 private:
  absl::Status Error() const { return absl::DataLossError("block 7"); }

  std::unique_ptr<CellScanner> scanner_;
  int calls_left_;
};

TEST(MergingScannerTest, NoSourcesAreAnEmptyScan) {
  const auto scanner = MergeTexts({});
  EXPECT_OK(scanner->Seek(""));
  EXPECT_EQ(scanner->cell(), nullptr);
}

TEST(MergingScannerTest, NothingIsThereBeforeTheFirstSeek) {
  EXPECT_EQ(MergeTexts({"r/:q@1#1 put"})->cell(), nullptr);
}

TEST(MergingScannerTest, SourcesInterleaveInKeyOrder) {
  const auto scanner = MergeTexts({
      "a/:q@2#2 put, c/:q@1#1 put",
      "",
      "a/:q@3#3 del, b/:q@1#1 put, d/:q@1#1 put",
  });
  ASSERT_OK(scanner->Seek(""));
  EXPECT_EQ(Rest(*scanner),
            "a/:q@3#3 del, a/:q@2#2 put, b/:q@1#1 put, c/:q@1#1 put, "
            "d/:q@1#1 put");
}

TEST(MergingScannerTest, OfEqualKeysTheEarlierSourceComesFirst) {
  const auto scanner = MergeTexts({
      "a/:q@1#1 put third, b/:q@1#1 put first",
      "a/:q@0#1 put, b/:q@1#1 put second",
      "b/:q@1#1 put third",
  });
  ASSERT_OK(scanner->Seek(""));
  EXPECT_EQ(Rest(*scanner),
            "a/:q@1#1 put third, a/:q@0#1 put, b/:q@1#1 put first, "
            "b/:q@1#1 put second, b/:q@1#1 put third");
}

TEST(MergingScannerTest, SeeksForwardAndBack) {
  const auto scanner = MergeTexts({"a/:q@1#1 put, c/:q@1#1 put",  //
                                   "b/:q@1#1 put, d/:q@1#1 put"});
  ASSERT_OK(scanner->Seek(FirstKeyOfRow("c")));
  EXPECT_EQ(CellText(*scanner->cell()), "c/:q@1#1 put");
  ASSERT_OK(scanner->Seek(FirstKeyAfterRow("d")));
  EXPECT_EQ(scanner->cell(), nullptr);
  ASSERT_OK(scanner->Seek(FirstKeyOfRow("b")));
  EXPECT_EQ(Rest(*scanner), "b/:q@1#1 put, c/:q@1#1 put, d/:q@1#1 put");
}

TEST(MergingScannerTest, AnErrorOfAnySourceEndsTheScanForGood) {
  const std::vector<Cell> cells = ParseCellsText("b/:q@2#2 put, b/:q@1#1 put");
  for (int calls = 0; calls < 3; ++calls) {
    std::vector<std::unique_ptr<CellScanner>> scanners;
    scanners.push_back(NewVectorScanner(ParseCellsText("a/:q@1#1 put")));
    scanners.push_back(std::make_unique<FailingScanner>(cells, calls));
    scanners.push_back(NewVectorScanner(ParseCellsText("c/:q@1#1 put")));
    const auto scanner = NewMergingScanner(std::move(scanners));
    absl::Status status = scanner->Seek("");
    int seen = 0;
    while (status.ok() && scanner->cell() != nullptr) {
      ++seen;
      status = scanner->Next();
    }
    EXPECT_EQ(seen, calls == 0 ? 0 : calls + 1);
    const auto is_the_error =
        StatusIs(absl::StatusCode::kDataLoss, testing::HasSubstr("block 7"));
    EXPECT_THAT(status, is_the_error);
    EXPECT_EQ(scanner->cell(), nullptr);
    EXPECT_THAT(scanner->Next(), is_the_error);
    EXPECT_THAT(scanner->Seek(""), is_the_error);
    EXPECT_EQ(scanner->cell(), nullptr);
  }
}

TEST(MergingScannerTest, AgreesWithASortOfRandomSources) {
  Random random(TestSeed());
  for (int round = 0; round < 300; ++round) {
    std::vector<std::vector<Cell>> sources(random.Uniform(9));
    std::vector<Cell> all;
    for (size_t s = 0; s < sources.size(); ++s) {
      for (uint64_t n = random.Uniform(12); n > 0; --n) {
        Cell cell;
        cell.row = std::string(1, static_cast<char>('a' + random.Uniform(3)));
        cell.qualifier = std::string(random.Uniform(3), 'q');
        cell.timestamp = static_cast<Timestamp>(random.Uniform(3));
        cell.number = WriteNumber{random.Uniform(2)};
        cell.value = absl::StrCat(s);
        sources[s].push_back(cell);
      }
      sources[s] = Sorted(std::move(sources[s]));
      all.insert(all.end(), sources[s].begin(), sources[s].end());
    }
    all = Sorted(std::move(all));  // Stable: ties stay in source order.
    const auto scanner = Merge(sources);
    ASSERT_OK(scanner->Seek(""));
    ASSERT_EQ(Rest(*scanner), CellsText(all));
    if (all.empty()) continue;

    const size_t from = random.Uniform(all.size());
    std::string key;
    AppendCellKey(all[from].view(), &key);
    const auto first = std::find_if(all.begin(), all.end(), [&](const auto& c) {
      return CompareCells(c.view(), all[from].view()) == 0;
    });
    ASSERT_OK(scanner->Seek(key));
    ASSERT_EQ(Rest(*scanner), CellsText(std::vector<Cell>(first, all.end())));
  }
}

}  // namespace
}  // namespace shale
