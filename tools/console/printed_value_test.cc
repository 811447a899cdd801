#include "shale/tools/console/printed_value.h"

#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace shale {
namespace {

TEST(PrintedValueTest, CountsCarrySeparatorsEveryThreeDigits) {
  EXPECT_EQ(WithSeparators(0), "0");
  EXPECT_EQ(WithSeparators(999), "999");
  EXPECT_EQ(WithSeparators(1000), "1,000");
  EXPECT_EQ(WithSeparators(34924), "34,924");
  EXPECT_EQ(WithSeparators(std::numeric_limits<uint64_t>::max()),
            "18,446,744,073,709,551,615");
}

TEST(PrintedValueTest, OneThingIsNamedInTheSingular) {
  EXPECT_EQ(CountOf(1, "row"), "1 row");
  EXPECT_EQ(CountOf(0, "row"), "0 rows");
  EXPECT_EQ(CountOf(1200, "cell"), "1,200 cells");
}

TEST(PrintedValueTest, SizesUseTheLargestUnitThatKeepsThemAboveOne) {
  EXPECT_EQ(SizeText(0), "0 B");
  EXPECT_EQ(SizeText(1023), "1023 B");
  EXPECT_EQ(SizeText(1024), "1.0 KiB");
  EXPECT_EQ(SizeText(1536), "1.5 KiB");
  EXPECT_EQ(SizeText((1 << 20) - 1), "1.0 MiB");
  EXPECT_EQ(SizeText(uint64_t{5} << 30), "5.0 GiB");
  EXPECT_EQ(SizeText(std::numeric_limits<uint64_t>::max()), "16.0 EiB");
}

TEST(PrintedValueTest, EachKindReadsAsPeopleWriteIt) {
  EXPECT_EQ(ForPeople(PrintedValue()), "");
  EXPECT_EQ(ForPeople(std::string("a\\x00")), "a\\x00");
  EXPECT_EQ(ForPeople(true), "yes");
  EXPECT_EQ(ForPeople(Count{1234}), "1,234");
  EXPECT_EQ(ForPeople(Decimal{5.1549, 2}), "5.15");
  EXPECT_EQ(ForPeople(Decimal{0.4, 0}), "0");
  EXPECT_EQ(ForPeople(ByteSize{2048}), "2.0 KiB");
  EXPECT_EQ(ForPeople(Moment{1600000000000000}), "2020-09-13T12:26:40.000000Z");
}

TEST(PrintedValueTest, OnlyCountsAndSizesAlignToTheRight) {
  EXPECT_TRUE(IsNumber(Count{1}));
  EXPECT_TRUE(IsNumber(ByteSize{1}));
  EXPECT_FALSE(IsNumber(Moment{1}));
  EXPECT_FALSE(IsNumber(std::string("7")));
}

}  // namespace
}  // namespace shale
