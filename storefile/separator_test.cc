#include "shale/storefile/separator.h"

#include <string>

#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/test_seed.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/testing/cell_text.h"

namespace shale {
namespace {

std::string KeyOf(absl::string_view text) {
  std::string key;
  AppendCellKey(ParseCellText(text).view(), &key);
  return key;
}

std::string Separator(absl::string_view before, absl::string_view key) {
  return ShortestSeparator(KeyOf(before), KeyOf(key));
}

TEST(SeparatorTest, KeepsNoMoreOfTheNameThanSetsItApart) {
  EXPECT_EQ(Separator("abc/:q@5#1 put", "abxyz/:q@5#1 put"),
            FirstKeyOfRow("abx"));
  EXPECT_EQ(Separator("ab/:q@5#1 put", "abcdef/:q@5#1 put"),
            FirstKeyOfRow("abc"));
  EXPECT_EQ(Separator("r/:col1@5#1 put", "r/:col2xyz@5#1 put"),
            FirstKeyOfColumn("r", "col2"));
  EXPECT_EQ(Separator("r/:@5#1 delfam", "r/:qqq@5#1 put"),
            FirstKeyOfColumn("r", "q"));
  EXPECT_EQ(Separator("r/:q@5#1 put", "r/:q@4#1 put"), KeyOf("r/:q@4#1 put"));
}

TEST(SeparatorTest, NothingBeforeGivesTheSmallestKey) {
  EXPECT_EQ(ShortestSeparator("", KeyOf("r/:q@5#1 put")), FirstKeyOfRow(""));
}

TEST(SeparatorTest, StandsBetweenAnyTwoKeys) {
  Random random(TestSeed());
  const auto name = [&] {
    std::string bytes;
    for (uint64_t n = random.Uniform(4); n > 0; --n) {
      bytes +=
          "\x00"
          "a\xff"[random.Uniform(3)];
    }
    return bytes;
  };
  for (int i = 0; i < 20'000; ++i) {
    std::string a, b;
    for (std::string* key : {&a, &b}) {
      Cell cell;
      cell.row = name();
      cell.qualifier = name();
      cell.timestamp = static_cast<Timestamp>(random.Uniform(3));
      cell.number.value = random.Uniform(3);
      AppendCellKey(cell.view(), key);
    }
    const int order = CompareCellKeys(a, b);
    if (order == 0) continue;
    if (order > 0) std::swap(a, b);
    const std::string separator = ShortestSeparator(a, b);
    ASSERT_TRUE(IsComparableCellKey(separator));
    ASSERT_LT(CompareCellKeys(a, separator), 0);
    ASSERT_LE(CompareCellKeys(separator, b), 0);
    ASSERT_LE(separator.size(), b.size());
  }
}

}  // namespace
}  // namespace shale
