#include "shale/locking/tick_rows.h"

#include <set>

#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/test_seed.h"

namespace shale {
namespace {

TEST(TickRowsTest, NextTickForgetsAllRows) {
  TickRows rows;
  rows.BeginTick(7);
  rows.Add(1);
  rows.Add(2);
  EXPECT_TRUE(rows.Contains(1));
  rows.BeginTick(8);
  EXPECT_FALSE(rows.Contains(1));
  EXPECT_FALSE(rows.Contains(2));
}

TEST(TickRowsTest, FirstTickHasNoRows) {
  TickRows rows;
  EXPECT_EQ(rows.tick(), 0);
  EXPECT_FALSE(rows.Contains(0));
  rows.Add(0);
  EXPECT_TRUE(rows.Contains(0));
}

TEST(TickRowsTest, RowsOfOneSlotAreToldApart) {
  TickRows rows;
  rows.BeginTick(1);
  for (uint64_t row = 5; row < 800; row += 256) {
    EXPECT_FALSE(rows.Contains(row)) << row;
    rows.Add(row);
    EXPECT_TRUE(rows.Contains(row)) << row;
  }
}

TEST(TickRowsTest, AgreesWithASetWhateverTheSizeOfTicks) {
  Random random(TestSeed());
  TickRows rows;
  for (int64_t tick = 1; tick < 300; ++tick) {
    rows.BeginTick(tick);
    std::set<uint64_t> twin;
    const int64_t adds = static_cast<int64_t>(random.Skewed(10));
    for (int64_t i = 0; i < adds; ++i) {
      const uint64_t row = random.Uniform(500);
      ASSERT_EQ(rows.Contains(row), twin.count(row) == 1)
          << "tick " << tick << " row " << row;
      rows.Add(row);
      twin.insert(row);
    }
    for (uint64_t row = 0; row < 500; ++row) {
      ASSERT_EQ(rows.Contains(row), twin.count(row) == 1)
          << "tick " << tick << " row " << row;
    }
  }
}

}  // namespace
}  // namespace shale
