#include "shale/wal/sync_ledger.h"

#include "gtest/gtest.h"

namespace shale {
namespace {

TEST(SyncLedgerTest, SyncsCountInTheOrderInWhichTheyBegan) {
  SyncLedger ledger({10}, {5});
  const auto first = ledger.Begin({20}, SyncLevel::kData);
  const auto second = ledger.Begin({30}, SyncLevel::kData);
  const auto third = ledger.Begin({40}, SyncLevel::kData);
  ledger.End(second);
  EXPECT_EQ(ledger.durable(SyncLevel::kData), LogPosition{10});
  ledger.End(first);
  EXPECT_EQ(ledger.durable(SyncLevel::kData), LogPosition{30});
  ledger.End(third);
  EXPECT_EQ(ledger.durable(SyncLevel::kData), LogPosition{40});
}

TEST(SyncLedgerTest, AFullSyncCountsForBothLevels) {
  SyncLedger ledger({10}, {5});
  ledger.End(ledger.Begin({20}, SyncLevel::kData));
  EXPECT_EQ(ledger.durable(SyncLevel::kFull), LogPosition{5});
  ledger.End(ledger.Begin({20}, SyncLevel::kFull));
  EXPECT_EQ(ledger.durable(SyncLevel::kFull), LogPosition{20});
  EXPECT_EQ(ledger.durable(SyncLevel::kData), LogPosition{20});
}

TEST(SyncLedgerTest, TellsHowFarSyncsHaveBegunBeforeTheyEnd) {
  SyncLedger ledger({10}, {5});
  EXPECT_EQ(ledger.begun(SyncLevel::kData), LogPosition{10});
  ledger.Begin({20}, SyncLevel::kFull);
  ledger.Begin({30}, SyncLevel::kData);
  EXPECT_EQ(ledger.begun(SyncLevel::kData), LogPosition{30});
  EXPECT_EQ(ledger.begun(SyncLevel::kFull), LogPosition{20});
}

}  // namespace
}  // namespace shale
