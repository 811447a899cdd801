#include "shale/region/prepared_batch.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/coding.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/cell/tags.h"
#include "shale/mvcc/mvcc_variants.h"
#include "shale/wal/record_codec.h"

namespace shale {
namespace {

using Resolution = PreparedBatch::Resolution;

std::string Bytes(int64_t counter) {
  std::string bytes;
  PutBigEndian64(&bytes, static_cast<uint64_t>(counter));
  return bytes;
}

// Batches on a region of one family "f" that is in memory alone.
class PreparedBatchTest : public testing::Test {
 protected:
  PreparedBatchTest() {
    schema_.name = "r";
    schema_.families.emplace_back().name = "f";
    options_.max_cell_bytes = (64 << 20) - 1;
  }

  // As the write with this number.
  void Put(absl::string_view row, absl::string_view qualifier,
           absl::string_view value, absl::string_view tags,
           WriteNumber number) {
    CellView cell;
    cell.row = row;
    cell.family = "f";
    cell.qualifier = qualifier;
    cell.timestamp = 5;
    cell.number = number;
    cell.value = value;
    cell.tags = tags;
    (*stores_.view())[0].active->Insert(cell);
  }
  std::unique_ptr<PreparedBatch> Prepare(std::vector<RowMutation> mutations) {
    MutationBatch batch;
    batch.mutations = std::move(mutations);
    batch.atomic = true;
    batch.want_results = true;
    return std::make_unique<PreparedBatch>(schema_, options_, std::move(batch),
                                           10);
  }

  // As a commit does that gets the timestamp 10, when it needs one.
  absl::StatusOr<Resolution> Resolve(PreparedBatch& batch) {
    batch.BeginResolve(10);
    absl::StatusOr<Resolution> resolution =
        batch.Resolve(reader_, ReadDepth::kFiles);
    if (!resolution.ok() || *resolution == Resolution::kNothing) {
      return resolution;
    }
    batch.SetCommitTimestamp(10);
    return batch.resolved() ? resolution
                            : batch.Resolve(reader_, ReadDepth::kFiles);
  }

  RegionSchema schema_;
  RegionOptions options_;
  ManualClock clock_;
  const std::unique_ptr<Mvcc> mvcc_ =
      MvccVariants().front().create(MvccOptions{}, clock_);
  RegionStores stores_{std::vector<StoreFiles>(1)};
  RegionReader reader_{schema_, stores_, *mvcc_, clock_};
};

TEST_F(PreparedBatchTest, ACounterThatCarriesTagsFitsInItsFirstReservation) {
  std::string tags;
  AppendTag({1, std::string(100, 't')}, &tags);
  Put("r", "q", Bytes(1), tags, WriteNumber{1});
  const auto batch = Prepare({RowMutation("r").Increment("f", "q", 1)});
  const BatchSize reserved = batch->reservation();
  EXPECT_THAT(Resolve(*batch), IsOkAndHolds(Resolution::kWrite));
  EXPECT_EQ(batch->cells()[0].cell.tags, tags);
  EXPECT_TRUE(batch->size().FitsIn(reserved));
}

TEST_F(PreparedBatchTest, NoGuessIsMoreThanTheLogTakes) {
  const int64_t most{kMaxPayloadBytes};
  const std::string much(most - 200, 'x');
  const auto batch = Prepare({RowMutation("r").Append("f", "q", much)});
  EXPECT_EQ(batch->reservation().payload_bytes, most);
  Put("r", "q", "y", "", WriteNumber{1});
  EXPECT_THAT(Resolve(*batch), IsOkAndHolds(Resolution::kWrite));
  EXPECT_EQ(batch->larger_reservation().payload_bytes, most);
  // What doesn't fit is asked for as it is, and refused.
  const std::string rest(400, 'x');
  const auto large =
      Prepare({RowMutation("r").Append("f", "q", much).Append("f", "p", rest)});
  EXPECT_EQ(large->reservation().payload_bytes, large->size().payload_bytes);
  EXPECT_GT(large->size().payload_bytes, most);
}

// Each edit looked at every cell before it.
TEST_F(PreparedBatchTest, ManyColumnsBuildOnTheirOwnCellsAlone) {
  constexpr int kColumns = 20000;
  std::vector<RowMutation> mutations;
  RowMutation& row = mutations.emplace_back("r");
  for (int pass = 1; pass <= 2; ++pass) {
    for (int c = 0; c < kColumns; ++c) {
      row.Increment("f", std::to_string(c), pass);
    }
  }
  row.DeleteFamily("f").Increment("f", "7", 5);
  const auto batch = Prepare(std::move(mutations));
  EXPECT_THAT(Resolve(*batch), IsOkAndHolds(Resolution::kWrite));
  ASSERT_EQ(batch->cells().size(), 2 * kColumns + 2);
  for (int c = 0; c < kColumns; ++c) {
    ASSERT_EQ(batch->cells()[kColumns + c].cell.value, Bytes(3)) << c;
  }
  EXPECT_EQ(batch->cells().back().cell.value, Bytes(5));
}

TEST_F(PreparedBatchTest, OnlyWhatReadsItsOwnCellsNeedsItsTimestampFirst) {
  Put("r", "q", Bytes(1), "", WriteNumber{1});
  const auto resolve = [&](RowMutation mutation) {
    const auto batch = Prepare({std::move(mutation)});
    batch->BeginResolve(10);
    return *batch->Resolve(reader_, ReadDepth::kFiles);
  };
  EXPECT_EQ(resolve(RowMutation("r").Increment("f", "q", 0)),
            Resolution::kNothing);
  EXPECT_EQ(resolve(RowMutation("r")
                        .Put("f", "a", "v")
                        .DeleteColumn("f", "b")
                        .Increment("f", "q", 1)
                        .Append("f", "c", "v")
                        .Put("f", "q", "v")),
            Resolution::kWrite);
  EXPECT_EQ(
      resolve(RowMutation("r").Put("f", "q", Bytes(2)).Increment("f", "q", 1)),
      Resolution::kNeedTimestamp);
  EXPECT_EQ(resolve(RowMutation("r").DeleteFamily("f").Append("f", "c", "v")),
            Resolution::kNeedTimestamp);
  EXPECT_EQ(
      resolve(RowMutation("r").Increment("f", "q", 0).Increment("f", "q", 1)),
      Resolution::kWrite);
}

TEST_F(PreparedBatchTest, CellsGetTheCommitsTimestampOrWhatIsThereCallsFor) {
  Put("r", "q", Bytes(1), "", WriteNumber{1});
  const auto timestamps = [&](Timestamp commit_timestamp) {
    const auto batch = Prepare({RowMutation("r")
                                    .Put("f", "a", "v")
                                    .Put("f", "b", "v", 3)
                                    .Increment("f", "q", 1)
                                    .Increment("f", "new", 1)});
    batch->BeginResolve(10);
    EXPECT_THAT(batch->Resolve(reader_, ReadDepth::kFiles),
                IsOkAndHolds(Resolution::kWrite));
    batch->SetCommitTimestamp(commit_timestamp);
    std::vector<Timestamp> timestamps;
    for (const PlacedCell& placed : batch->cells()) {
      timestamps.push_back(placed.cell.timestamp);
    }
    return timestamps;
  };
  EXPECT_THAT(timestamps(10), testing::ElementsAre(10, 3, 10, 10));
  EXPECT_THAT(timestamps(4), testing::ElementsAre(4, 3, 6, 4));
}

TEST_F(PreparedBatchTest, NothingBuildsOnARefusedMutation) {
  Put("r", "short", "xyz", "", WriteNumber{1});
  MutationBatch mutations;
  mutations.mutations = {
      RowMutation("r").Increment("f", "q", 1),
      RowMutation("r").Increment("f", "q", 10).Increment("f", "short", 1),
      RowMutation("r").Increment("f", "q", 100)};
  PreparedBatch batch(schema_, options_, std::move(mutations), 10);
  EXPECT_THAT(Resolve(batch), IsOkAndHolds(Resolution::kWrite));
  ASSERT_EQ(batch.cells().size(), 2);
  EXPECT_EQ(batch.cells()[1].cell.value, Bytes(101));
}

}  // namespace
}  // namespace shale
