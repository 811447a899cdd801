// The main job on real input: the Unicode Character Database's UnicodeData.txt
// goes into a region, and every field of it is found again.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/region/local_host.h"
#include "shale/region/region.h"
#include "shale/tools/console/printed_value.h"
#include "shale/tools/shale/testing/tool_test.h"

namespace shale {
namespace {

using testing::HasSubstr;

constexpr char kFile[] = "/usr/share/unicode/UnicodeData.txt";
// The fields after the code point, as Unicode Standard Annex #44 names them.
constexpr absl::string_view kColumns[] = {
    "name",    "category", "combining", "bidi",     "decomposition",
    "decimal", "digit",    "numeric",   "mirrored", "unicode_1_name",
    "comment", "upper",    "lower",     "title"};

using Line = std::vector<std::string>;

// The region is made once: the tests after the first find it as the one before
// left it.
class UcdTest : public ToolTest {
 protected:
  static void SetUpTestSuite() {
    shared_ = new std::string(testing::TempDir() + "/ucd.XXXXXX");
    ASSERT_NE(mkdtemp(shared_->data()), nullptr);
  }

  void SetUp() override {
    work_ = *shared_;
    std::ifstream in(kFile);
    ASSERT_TRUE(in) << kFile << " is missing: ./bazelw installs the package "
                    << "unicode-data, or: apt-get install unicode-data";
    for (std::string line; std::getline(in, line);) {
      Line fields = absl::StrSplit(line, ';');
      ASSERT_EQ(fields.size(), 15u) << line;
      lines_[fields[0]] = fields;
    }
    ASSERT_GT(lines_.size(), 34000u);
    if (!std::filesystem::exists(work_ + "/ucd")) Import();
  }
  void TearDown() override {}  // Not the directory.

  std::string Import() {
    return Printed({"import", kFile, "--dir=ucd", "--region=ucd",
                    "--separator=;",
                    absl::StrCat("--columns=ROW_KEY,ucd:",
                                 absl::StrJoin(kColumns, ",ucd:"))});
  }

  // Reads the region by its API, without the tool.
  void ExpectEveryFieldIsThere() {
    HostOptions options;
    options.read_only = true;
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<LocalHost> host,
                         LocalHost::Open(work_ + "/ucd", std::move(options)));
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Region> region,
                         host->host().OpenRegion("ucd"));
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RegionScanner> scanner,
                         region->NewScanner(Scan()));
    auto expected = lines_.begin();
    while (true) {
      ASSERT_OK_AND_ASSIGN(const std::optional<RowResult> row, scanner->Next());
      if (!row.has_value()) break;
      ASSERT_NE(expected, lines_.end()) << row->row;
      ASSERT_EQ(row->row, expected->first);
      ASSERT_EQ(row->cells.size(), 14u);
      for (size_t i = 0; i < 14; ++i) {
        ASSERT_EQ(row->Value("ucd", kColumns[i]), expected->second[i + 1])
            << row->row << " " << kColumns[i];
      }
      ++expected;
    }
    EXPECT_EQ(expected, lines_.end());
  }

  std::string Counted() const {
    return absl::StrCat("{\"rows\":", lines_.size(),
                        ",\"cells\":", 14 * lines_.size(), "}\n");
  }

  static std::string* shared_;
  std::map<std::string, Line> lines_;
};

std::string* UcdTest::shared_ = nullptr;

TEST_F(UcdTest, EveryFieldOfEveryLineIsFoundAgain) {
  EXPECT_EQ(Printed({"count", "--dir=ucd", "--format=json"}), Counted());
  ASSERT_NO_FATAL_FAILURE(ExpectEveryFieldIsThere());
  EXPECT_THAT(Printed({"verify", "--dir=ucd"}), HasSubstr(": all good\n"));
}

TEST_F(UcdTest, RowsAndRangesReadAsTheFileSays) {
  const std::string letter =
      Printed({"get", "0041", "ucd:name", "ucd:lower", "--dir=ucd"});
  EXPECT_THAT(letter, HasSubstr("LATIN CAPITAL LETTER A\n"));
  EXPECT_THAT(letter, HasSubstr("0061\n"));
  const std::string digits = Printed({"scan", "--dir=ucd", "--start=0030",
                                      "--stop=003A", "--columns=ucd:decimal"});
  for (char digit = '0'; digit <= '9'; ++digit) {
    EXPECT_THAT(digits, HasSubstr(absl::StrCat("003", std::string(1, digit),
                                               "  ucd:decimal  ")));
  }
  EXPECT_THAT(digits, HasSubstr("(10 rows, 10 cells)\n"));
}

TEST_F(UcdTest, ImportingAgainAndCompactingLeavesEveryField) {
  EXPECT_THAT(Import(), HasSubstr(absl::StrCat("imported ",
                                               WithSeparators(lines_.size()))));
  Printed({"compact", "--dir=ucd"});
  ASSERT_NO_FATAL_FAILURE(ExpectEveryFieldIsThere());
  EXPECT_THAT(Printed({"verify", "--dir=ucd"}), HasSubstr(": all good\n"));
}

}  // namespace
}  // namespace shale
