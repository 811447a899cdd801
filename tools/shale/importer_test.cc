#include "shale/tools/shale/importer.h"

#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Takes batches instead of a region.
class ImporterTest : public testing::Test {
 protected:
  ImporterTest() { options_.fields = ParseImportFields("ROW_KEY,f:a").value(); }

  absl::Status Import(const std::string& text) {
    std::istringstream in(text);
    DelimitedReader reader(in, ';');
    const auto apply = [this](MutationBatch batch) {
      std::string rows;
      ApplyResult result;
      for (const RowMutation& mutation : batch.mutations) {
        absl::StrAppend(&rows, mutation.row(), " ");
        absl::Status status;
        if (mutation.row() == "outside") {
          status = absl::OutOfRangeError("not in this region");
        } else if (mutation.row() == "poison") {
          status = absl::FailedPreconditionError("the region is poisoned");
        }
        result.statuses.push_back(status);
      }
      batches_.push_back(rows);
      durability_ = batch.durability;
      return result;
    };
    const auto on_progress = [this](uint64_t bytes, uint64_t lines) {
      progress_.push_back(absl::StrCat(bytes, "/", lines));
    };
    Importer importer(options_, reader, apply, on_progress);
    const absl::Status status = importer.Run();
    result_ = importer.result();
    return status;
  }

  std::vector<std::string> BadLines() const {
    std::vector<std::string> lines;
    for (const BadLine& bad : result_.first_bad) {
      lines.push_back(absl::StrCat(bad.number, ": ", bad.problem));
    }
    return lines;
  }

  ImportOptions options_;
  std::vector<std::string> batches_;
  std::vector<std::string> progress_;
  Durability durability_ = Durability::kDefault;
  ImportResult result_;
};

TEST_F(ImporterTest, LinesGoInBatchesInTheirOrder) {
  options_.batch_lines = 2;
  options_.durability = Durability::kFsyncWal;
  ASSERT_OK(Import("a;1\nb;2\na;3\n"));
  EXPECT_THAT(batches_, ElementsAre("a b ", "a "));
  EXPECT_THAT(progress_, ElementsAre("8/2"));
  EXPECT_EQ(durability_, Durability::kFsyncWal);
  EXPECT_EQ(result_.lines, 3u);
  EXPECT_EQ(result_.imported, 3u);
  EXPECT_EQ(result_.cells, 3u);
  EXPECT_EQ(result_.bad, 0u);
}

TEST_F(ImporterTest, AnEmptyFileImportsNothing) {
  ASSERT_OK(Import(""));
  EXPECT_THAT(batches_, IsEmpty());
}

TEST_F(ImporterTest, SkippedLinesAreNeitherReadNorBadButCountForNumbers) {
  options_.skip_lines = 2;
  options_.max_bad_lines = 1;
  ASSERT_OK(Import("a header\nof two lines\na;1\nbad\n"));
  EXPECT_EQ(result_.lines, 2u);
  EXPECT_THAT(BadLines(), ElementsAre("4: 1 field, want 2"));
}

TEST_F(ImporterTest, BadLinesAreLeftOutAndToldByNumber) {
  options_.max_bad_lines = 3;
  ASSERT_OK(Import("bad\na;1\n;2\nc;3;4\nd;5\n"));
  EXPECT_THAT(batches_, ElementsAre("a d "));
  EXPECT_EQ(result_.bad, 3u);
  EXPECT_THAT(BadLines(),
              ElementsAre("1: 1 field, want 2", "3: the row key is empty",
                          "4: 3 fields, want 2"));
}

TEST_F(ImporterTest, ALineThatTheRegionRefusesIsBadToo) {
  options_.max_bad_lines = 1;
  ASSERT_OK(Import("a;1\noutside;2\nb;3\n"));
  EXPECT_EQ(result_.imported, 2u);
  EXPECT_THAT(BadLines(), ElementsAre("2: not in this region"));
}

TEST_F(ImporterTest, OneBadLineTooManyEndsTheImport) {
  options_.max_bad_lines = 1;
  EXPECT_THAT(Import("bad\na;1\nworse\nb;1\n"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("line 3: 1 field, want 2")));
  EXPECT_EQ(result_.bad, 2u);
}

TEST_F(ImporterTest, AFailureOfTheRegionIsNoBadLine) {
  options_.max_bad_lines = 100;
  EXPECT_THAT(Import("a;1\npoison;2\n"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "line 2: the region is poisoned; 1 line before it is "
                       "durable"));
  EXPECT_EQ(result_.bad, 0u);
  EXPECT_EQ(result_.imported, 1u);
}

TEST_F(ImporterTest, WhatWasNotToBeDurableIsNotSaidToBe) {
  options_.durability = Durability::kAsyncWal;
  EXPECT_THAT(
      Import("a;1\nb;1\npoison;2\n"),
      StatusIs(testing::_, HasSubstr("; 2 lines before it are imported")));
}

TEST_F(ImporterTest, AllBadLinesAreCountedAndTheFirstTenKept) {
  options_.max_bad_lines = 100;
  std::string text;
  for (int i = 0; i < 25; ++i) text += "bad\n";
  ASSERT_OK(Import(text));
  EXPECT_EQ(result_.bad, 25u);
  EXPECT_EQ(result_.first_bad.size(), kBadLinesShown);
}

}  // namespace
}  // namespace shale
