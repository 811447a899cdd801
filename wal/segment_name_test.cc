#include "shale/wal/segment_name.h"

#include <string>

#include "gtest/gtest.h"

namespace shale {
namespace {

TEST(SegmentNameTest, ANameParsesBackToItsId) {
  for (const SegmentId id : {SegmentId{1, 1}, SegmentId{0xabcdef, 0x10},
                             SegmentId{~uint64_t{0}, ~uint64_t{0}}}) {
    EXPECT_EQ(ParseSegmentName("host/wal", SegmentName("host/wal", id)), id);
    EXPECT_EQ(ParseSegmentName("", SegmentName("", id)), id);
  }
  EXPECT_EQ(SegmentName("host/wal", {1, 0x2a}),
            "host/wal/0000000000000001-000000000000002a.wal");
}

// A14.
TEST(SegmentNameTest, NamesCompareAsTheirNumbersDo) {
  const std::string eleven = SegmentName("wal", {1, 11});
  const std::string twelve = SegmentName("wal", {1, 12});
  EXPECT_EQ(*ParseSegmentName("wal", eleven), *ParseSegmentName("wal", eleven));
  EXPECT_LT(*ParseSegmentName("wal", eleven), *ParseSegmentName("wal", twelve));
  EXPECT_LT(eleven, twelve);
  EXPECT_LT(SegmentName("wal", {1, 0x100}), SegmentName("wal", {2, 1}));
}

// A14: names of two logs don't compare.
TEST(SegmentNameTest, ANameOfAnotherLogHasNoId) {
  const std::string name = SegmentName("a", {1, 11});
  EXPECT_EQ(ParseSegmentName("b", name), std::nullopt);
  EXPECT_EQ(ParseSegmentName("a/b", name), std::nullopt);
  EXPECT_EQ(ParseSegmentName("", name), std::nullopt);
}

TEST(SegmentNameTest, OneIdHasOneName) {
  for (const char* name : {
           "w/0000000000000001-000000000000002A.wal",
           "w/0000000000000001_000000000000002a.wal",
           "w/0000000000000001-000000000000002a.wax",
           "w/000000000000001-0000000000000002a.wal",
           "w/ 000000000000001-000000000000002a.wal",
           "w/0x00000000000001-000000000000002a.wal",
           "w/0000000000000001-000000000000002a.wal.tmp",
           "w/1-2a.wal",
       }) {
    EXPECT_EQ(ParseSegmentName("w", name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace shale
