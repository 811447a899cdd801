#include "shale/tools/shale/family_spec.h"

#include <string>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

using testing::HasSubstr;

TEST(FamilySpecTest, ANameAloneHasAllDefaults) {
  ASSERT_OK_AND_ASSIGN(const ColumnFamilyOptions family,
                       ParseFamilySpec("ucd"));
  EXPECT_EQ(family.name, "ucd");
  EXPECT_EQ(family.retention.max_versions, 1);
  EXPECT_EQ(family.compression, Compression::kNone);
  EXPECT_EQ(FamilySpecText(family), "");
}

TEST(FamilySpecTest, EveryOptionIsUnderstood) {
  ASSERT_OK_AND_ASSIGN(const ColumnFamilyOptions family,
                       ParseFamilySpec("raw:versions=3,min_versions=2,ttl=12h,"
                                       "delete_rule=timestamp,compression=zstd,"
                                       "bloom=row_column,block_bytes=4096"));
  EXPECT_EQ(family.name, "raw");
  EXPECT_EQ(family.retention.max_versions, 3);
  EXPECT_EQ(family.retention.min_versions, 2);
  EXPECT_EQ(family.retention.ttl, absl::Hours(12));
  EXPECT_EQ(family.retention.delete_rule, DeleteRule::kTimestamp);
  EXPECT_EQ(family.compression, Compression::kZstd);
  EXPECT_EQ(family.bloom, BloomKind::kRowColumn);
  EXPECT_EQ(family.block_bytes, 4096u);
}

TEST(FamilySpecTest, WhatIsPrintedParsesBack) {
  for (const std::string options :
       {"versions=all", "ttl=30d", "ttl=1h30m",
        "versions=3,min_versions=2,ttl=7d,delete_rule=timestamp,"
        "compression=lz4,bloom=none,block_bytes=1"}) {
    ASSERT_OK_AND_ASSIGN(const ColumnFamilyOptions family,
                         ParseFamilySpec("f:" + options));
    const std::string printed = FamilySpecText(family);
    ASSERT_OK_AND_ASSIGN(const ColumnFamilyOptions again,
                         ParseFamilySpec("f:" + printed));
    EXPECT_EQ(FamilySpecText(again), printed);
    EXPECT_EQ(again.retention.ttl, family.retention.ttl);
  }
}

TEST(FamilySpecTest, UnknownOptionsAndValuesAreRefusedByName) {
  EXPECT_THAT(ParseFamilySpec("f:colour=red"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("\"colour=red\": there is no such option")));
  EXPECT_THAT(ParseFamilySpec("f:compression=gzip"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("want none, lz4, zstd, snappy")));
  EXPECT_THAT(
      ParseFamilySpec("f:versions=many"),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("want a number")));
  EXPECT_THAT(
      ParseFamilySpec("f:ttl=soon"),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("want a time")));
}

}  // namespace
}  // namespace shale
