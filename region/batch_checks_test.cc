#include "shale/region/batch_checks.h"

#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

using ::testing::HasSubstr;

class BatchChecksTest : public testing::Test {
 protected:
  BatchChecksTest() {
    schema_.name = "r";
    schema_.families.emplace_back().name = "f";
  }

  absl::Status Check(const RowMutation& mutation, Timestamp now = 1000) {
    return CheckMutation(schema_, options_, mutation, now);
  }

  RegionSchema schema_;
  RegionOptions options_;
};

TEST_F(BatchChecksTest, ATimestampOfTheFarFutureIsRefusedByEveryClock) {
  options_.timestamp_slop = absl::Microseconds(50);
  for (const Timestamp now : {std::numeric_limits<Timestamp>::min(),
                              Timestamp{-2}, Timestamp{0}, Timestamp{1000}}) {
    EXPECT_THAT(
        Check(RowMutation("r").Put("f", "q", "v", kMaxTimestamp - 1), now),
        StatusIs(absl::StatusCode::kInvalidArgument,
                 HasSubstr("us ahead of the clock, at most 50")))
        << now;
  }
  EXPECT_OK(Check(RowMutation("r").Put("f", "q", "v", 50), -2));
  EXPECT_OK(Check(RowMutation("r").Put("f", "q", "v", 1050)));
  EXPECT_FALSE(Check(RowMutation("r").Put("f", "q", "v", 1051)).ok());
}

TEST_F(BatchChecksTest, TheCellThatIsTooLargeIsNamed) {
  options_.max_cell_bytes = 100;
  EXPECT_THAT(Check(RowMutation("r\x01").Put("f", "q", std::string(200, 'v'))),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("row r\\x01, column f:q: a cell of ")));
  EXPECT_THAT(
      Check(RowMutation(std::string(200, 'r')).DeleteRow()),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("r: a cell of")));
}

TEST_F(BatchChecksTest, ABatchHasTheHighestLevelOfItsMutations) {
  MutationBatch batch;
  EXPECT_EQ(HighestDurability(batch, Durability::kSyncWal),
            Durability::kSyncWal);
  batch.durability = Durability::kSkipWal;
  EXPECT_EQ(HighestDurability(batch, Durability::kSyncWal),
            Durability::kSkipWal);
  RowMutation put = RowMutation("r").Put("f", "q", "v");
  batch.mutations = {put, put.WithDurability(Durability::kAsyncWal), put};
  EXPECT_EQ(HighestDurability(batch, Durability::kSyncWal),
            Durability::kAsyncWal);
  batch.durability = Durability::kDefault;
  for (RowMutation& mutation : batch.mutations) {
    mutation.WithDurability(Durability::kSkipWal);
  }
  EXPECT_EQ(HighestDurability(batch, Durability::kFsyncWal),
            Durability::kSkipWal)
      << "every mutation skips the log";
  batch.mutations[1].WithDurability(Durability::kDefault);
  EXPECT_EQ(HighestDurability(batch, Durability::kFsyncWal),
            Durability::kFsyncWal);
}

TEST_F(BatchChecksTest, ALevelThatIsNoneIsRefusedAndDoesNotCount) {
  RowMutation put = RowMutation("r").Put("f", "q", "v");
  put.WithDurability(static_cast<Durability>(9));
  EXPECT_THAT(Check(put), StatusIs(absl::StatusCode::kInvalidArgument,
                                   HasSubstr("unknown durability 9")));
  MutationBatch batch;
  batch.mutations = {put};
  EXPECT_EQ(HighestDurability(batch, Durability::kSyncWal),
            Durability::kSyncWal);
}

}  // namespace
}  // namespace shale
