#include "shale/base/escape.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"

namespace shale {
namespace {

using ::testing::HasSubstr;
using std::string_literals::operator""s;  // For bytes that include zero.

TEST(EscapeTest, PrintableBytesStandForThemselves) {
  EXPECT_EQ(EscapeBytes("row-1 ~\"'%"), "row-1 ~\"'%");
}

TEST(EscapeTest, OtherBytesAndTheBackslashAreEscaped) {
  EXPECT_EQ(EscapeBytes("\0\n\x7f\xff\\"s), "\\x00\\x0a\\x7f\\xff\\\\");
}

TEST(EscapeTest, UnescapingIsTheInverseForAnyBytes) {
  Random random(TestSeed());
  for (int i = 0; i < 1000; ++i) {
    const std::string bytes = random.Bytes(random.Uniform(50));
    EXPECT_THAT(UnescapeBytes(EscapeBytes(bytes)), IsOkAndHolds(bytes));
  }
  // Bytes that already look escaped.
  EXPECT_THAT(UnescapeBytes(EscapeBytes("\\x00")), IsOkAndHolds("\\x00"));
}

TEST(EscapeTest, UnescapingTakesWhatPeopleType) {
  EXPECT_THAT(UnescapeBytes("\\xAb\\x41\xc3\xa9"), IsOkAndHolds("\xab"
                                                                "A\xc3\xa9"));
}

TEST(EscapeTest, ABadEscapeIsRefusedWithItsColumn) {
  for (const char* text :
       {"ab\\", "ab\\n", "ab\\x", "ab\\x0", "ab\\xg0", "ab\\x0g", "ab\\X00"}) {
    EXPECT_THAT(
        UnescapeBytes(text),
        StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("column 3")))
        << text;
  }
}

}  // namespace
}  // namespace shale
