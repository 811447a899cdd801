#include "shale/base/uuid.h"

#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash_testing.h"
#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"

namespace shale {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr char kText[] = "00112233-4455-6677-8899-aabbccddeeff";

TEST(UuidTest, TextAndBytesAreInverse) {
  ASSERT_OK_AND_ASSIGN(const Uuid uuid, Uuid::Parse(kText));
  for (size_t i = 0; i < Uuid::kBytes; ++i) EXPECT_EQ(uuid.bytes[i], i * 0x11);
  EXPECT_EQ(uuid.ToString(), kText);
  EXPECT_THAT(Uuid::Parse("00112233-4455-6677-8899-AABBCCDDEEFF"),
              IsOkAndHolds(uuid));
}

TEST(UuidTest, DefaultIsAllZero) {
  EXPECT_EQ(Uuid().ToString(), "00000000-0000-0000-0000-000000000000");
}

TEST(UuidTest, BadTextIsRefusedWithTheReason) {
  EXPECT_THAT(Uuid::Parse("0011"), StatusIs(absl::StatusCode::kInvalidArgument,
                                            HasSubstr("4 characters")));
  std::string bad_digit = kText;
  bad_digit[20] = 'g';
  EXPECT_THAT(Uuid::Parse(bad_digit),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("bad character in column 21")));
  std::string bad_dash = kText;
  bad_dash[8] = '0';
  EXPECT_THAT(Uuid::Parse(bad_dash),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("bad character in column 9")));
}

TEST(UuidTest, GeneratedOnesAreDistinctAndOfVersion4) {
  Random random(TestSeed());
  absl::flat_hash_set<Uuid> seen;
  for (int i = 0; i < 100; ++i) {
    for (const Uuid& uuid : {Uuid::Generate(random), Uuid::Generate()}) {
      EXPECT_TRUE(seen.insert(uuid).second) << uuid.ToString();
      EXPECT_THAT(uuid.ToString(),
                  MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-"
                               "[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
    }
  }
}

TEST(UuidTest, OneSeedGivesOneUuid) {
  Random a(5), b(5);
  EXPECT_EQ(Uuid::Generate(a), Uuid::Generate(b));
}

TEST(UuidTest, OrderIsThatOfTheText) {
  Random random(TestSeed());
  for (int i = 0; i < 100; ++i) {
    const Uuid a = Uuid::Generate(random);
    const Uuid b = Uuid::Generate(random);
    EXPECT_EQ(a < b, a.ToString() < b.ToString());
  }
}

TEST(UuidTest, HashAgreesWithEquality) {
  Random random(TestSeed());
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(
      {Uuid(), Uuid::Generate(random), Uuid::Generate(random)}));
}

}  // namespace
}  // namespace shale
