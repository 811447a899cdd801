#include "shale/tools/shale/import_row.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

using testing::HasSubstr;

// "row|family:qualifier@timestamp=value|..."
absl::StatusOr<std::string> Text(absl::string_view columns,
                                 std::vector<absl::string_view> fields,
                                 Timestamp timestamp = 7) {
  const std::vector<ImportField> format = ParseImportFields(columns).value();
  SHALE_ASSIGN_OR_RETURN(const RowMutation mutation,
                         MutationOfLine(format, fields, timestamp));
  std::string text = mutation.row();
  for (const Edit& edit : mutation.edits()) {
    absl::StrAppend(&text, "|", edit.family, ":", edit.qualifier, "@",
                    edit.timestamp, "=", edit.value);
  }
  return text;
}

TEST(ImportRowTest, EachCellColumnBecomesAPut) {
  EXPECT_THAT(Text("a:x,ROW_KEY,,b:y", {"1", "row", "ignored", "2"}),
              IsOkAndHolds(std::string("row|a:x@7=1|b:y@7=2")));
}

TEST(ImportRowTest, AnEmptyFieldIsAnEmptyValue) {
  EXPECT_THAT(Text("ROW_KEY,a:x", {"row", ""}),
              IsOkAndHolds(std::string("row|a:x@7=")));
}

TEST(ImportRowTest, TheLinesOwnTimestampCountsForAllItsCells) {
  EXPECT_THAT(
      Text("ROW_KEY,a:x,TS_KEY,a:y", {"row", "1", "2020-09-13T12:26:40Z", "2"}),
      IsOkAndHolds(
          std::string("row|a:x@1600000000000000=1|a:y@1600000000000000=2")));
}

TEST(ImportRowTest, TooFewAndTooManyFieldsAreRefused) {
  EXPECT_THAT(Text("ROW_KEY,a:x", {"row"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("1 field, want 2")));
  EXPECT_THAT(Text("ROW_KEY,a:x", {"row", "1", "2"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("3 fields, want 2")));
}

TEST(ImportRowTest, AnEmptyRowAndABadTimestampAreRefused) {
  EXPECT_THAT(Text("ROW_KEY,a:x", {"", "1"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("row key is empty")));
  EXPECT_THAT(
      Text("ROW_KEY,TS_KEY,a:x", {"row", "soon", "1"}),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"soon\"")));
}

}  // namespace
}  // namespace shale
