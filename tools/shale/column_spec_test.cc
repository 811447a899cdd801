#include "shale/tools/shale/column_spec.h"

#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Kind = ImportField::Kind;

TEST(ColumnNameTest, ANameIsFamilyColonQualifier) {
  EXPECT_THAT(ParseColumnName("ucd:name"),
              IsOkAndHolds(ColumnName{"ucd", "name"}));
}

TEST(ColumnNameTest, OnlyTheFirstColonSeparates) {
  EXPECT_THAT(ParseColumnName("ucd:a:b"),
              IsOkAndHolds(ColumnName{"ucd", "a:b"}));
}

TEST(ColumnNameTest, AFamilyAloneDiffersFromItsEmptyQualifier) {
  EXPECT_THAT(ParseColumnName("ucd"),
              IsOkAndHolds(ColumnName{"ucd", std::nullopt}));
  EXPECT_THAT(ParseColumnName("ucd:"), IsOkAndHolds(ColumnName{"ucd", ""}));
}

TEST(ColumnNameTest, BinaryQualifiersAreEscapedBothWays) {
  const ColumnName column{"ucd", std::string("\0\xff", 2)};
  EXPECT_EQ(ColumnText(column), "ucd:\\x00\\xff");
  EXPECT_THAT(ParseColumnName(ColumnText(column)), IsOkAndHolds(column));
}

TEST(ColumnNameTest, NoFamilyAndBadEscapesAreRefused) {
  EXPECT_THAT(
      ParseColumnName(":name"),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("has no family")));
  EXPECT_THAT(ParseColumnName("ucd:\\y"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("column \"ucd:\\y\"")));
}

TEST(ImportFieldsTest, EachFieldIsRowTimestampCellOrIgnored) {
  EXPECT_THAT(
      ParseImportFields("TS_KEY,ROW_KEY,,a:x,b:"),
      IsOkAndHolds(ElementsAre(
          ImportField{Kind::kTimestamp, {}}, ImportField{Kind::kRow, {}},
          ImportField{Kind::kIgnore, {}}, ImportField{Kind::kCell, {"a", "x"}},
          ImportField{Kind::kCell, {"b", ""}})));
}

TEST(ImportFieldsTest, TheKeysOfHBaseAreUnderstood) {
  EXPECT_EQ(ParseImportFields("HBASE_ROW_KEY,HBASE_TS_KEY,a:x").value(),
            ParseImportFields("ROW_KEY,TS_KEY,a:x").value());
}

TEST(ImportFieldsTest, FamiliesComeOnceInOrderOfAppearance) {
  EXPECT_THAT(FamiliesOf(ParseImportFields("b:x,ROW_KEY,a:x,b:y").value()),
              ElementsAre("b", "a"));
}

struct RefusedCase {
  const char* name;
  const char* text;
  const char* error;
};
constexpr RefusedCase kRefusedCases[] = {
    {"NoRow", "a:x,a:y", "no column is the ROW_KEY"},
    {"NoCell", "ROW_KEY,,TS_KEY", "no column is a FAMILY:QUALIFIER"},
    {"Empty", "", "no column is the ROW_KEY"},
    {"TwoRows", "ROW_KEY,a:x,HBASE_ROW_KEY", "HBASE_ROW_KEY is there twice"},
    {"TwoTimestamps", "ROW_KEY,TS_KEY,TS_KEY,a:x", "TS_KEY is there twice"},
    {"SameColumn", "ROW_KEY,a:x,a:x", "column a:x is there twice"},
    {"NoFamily", "ROW_KEY,:x", "has no family"},
    {"NoQualifier", "ROW_KEY,TSKEY,a:x", "column \"TSKEY\" has no qualifier"},
};

class ImportFieldsRefusedTest : public testing::TestWithParam<RefusedCase> {};

TEST_P(ImportFieldsRefusedTest, SaysWhatIsWrong) {
  EXPECT_THAT(ParseImportFields(GetParam().text),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr(GetParam().error)));
}
INSTANTIATE_TEST_SUITE_P(Table, ImportFieldsRefusedTest,
                         testing::ValuesIn(kRefusedCases),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace shale
