#include "shale/tools/shale/delimited_reader.h"

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"

namespace shale {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Each line as "number:[field][field]@bytes_read".
std::vector<std::string> LinesOf(const std::string& text) {
  std::istringstream in(text);
  DelimitedReader reader(in, ';');
  std::vector<std::string> lines;
  while (true) {
    const absl::StatusOr<bool> more = reader.Next();
    EXPECT_OK(more);
    if (!more.ok() || !*more) return lines;
    lines.push_back(absl::StrCat(reader.line_number(), ":[",
                                 absl::StrJoin(reader.fields(), "]["), "]@",
                                 reader.bytes_read()));
  }
}

TEST(DelimitedReaderTest, FieldsLieBetweenSeparatorsAndMayBeEmpty) {
  EXPECT_THAT(LinesOf("0041;LATIN;;\n;\n"),
              ElementsAre("1:[0041][LATIN][][]@13", "2:[][]@15"));
}

TEST(DelimitedReaderTest, TheLastLineNeedsNoNewline) {
  EXPECT_THAT(LinesOf("a;b\nc"), ElementsAre("1:[a][b]@4", "2:[c]@5"));
}

TEST(DelimitedReaderTest, AnEmptyFileHasNoLineAndANewlineIsOne) {
  EXPECT_THAT(LinesOf(""), ElementsAre());
  EXPECT_THAT(LinesOf("\n"), ElementsAre("1:[]@1"));
}

TEST(DelimitedReaderTest, CarriageReturnBelongsToTheLineEnd) {
  EXPECT_THAT(LinesOf("a;b\r\nc\rd\r\n"),
              ElementsAre("1:[a][b]@5", "2:[c\rd]@10"));
}

TEST(DelimitedReaderTest, NulAndHighBytesAreOrdinary) {
  EXPECT_THAT(LinesOf(std::string("\0;\xff\n", 4)),
              ElementsAre(std::string("1:[\0][\xff]@4", 10)));
}

TEST(DelimitedReaderTest, LinesAcrossReadsComeWhole) {
  Random random(TestSeed());
  std::string text;
  std::vector<std::string> lines;
  for (uint64_t i = 0; i < 200; ++i) {
    const std::string field(random.Uniform(20000), 'x');
    absl::StrAppend(&text, field, ";", i, "\n");
    lines.push_back(
        absl::StrCat(i + 1, ":[", field, "][", i, "]@", text.size()));
  }
  EXPECT_EQ(LinesOf(text), lines);
}

TEST(DelimitedReaderTest, ALineAboveTheLimitIsRefusedByNumber) {
  std::istringstream in("a\n" + std::string(300000, 'x') + "\n");
  DelimitedReader reader(in, ';', /*max_line_bytes=*/1000);
  EXPECT_THAT(reader.Next(), IsOkAndHolds(true));
  EXPECT_THAT(reader.Next(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("line 2")));
}

TEST(DelimitedReaderTest, AReadErrorIsNoEndOfFile) {
  std::istringstream in("a\nb");
  DelimitedReader reader(in, ';');
  in.setstate(std::ios::badbit);
  EXPECT_THAT(reader.Next(), StatusIs(absl::StatusCode::kDataLoss));
}

}  // namespace
}  // namespace shale
