#include "shale/tools/benchmark/stub_wal.h"

#include <vector>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

class Listener final : public LogListener {
 public:
  explicit Listener(std::vector<LogPosition>& told) : told_(told) {}
  void OnDurable(LogPosition durable) override { told_.push_back(durable); }
  void OnHealth(const LogHealth&) override {}
  void OnNewSegment() override {}

 private:
  std::vector<LogPosition>& told_;
};

TEST(StubWalTest, WhatIsAskedForIsDurableOnReturn) {
  StubWal wal;
  std::vector<LogPosition> told;
  Listener listener(told);
  wal.AddListener(&listener);
  absl::Status reserved = absl::UnknownError("not told");
  wal.Reserve(10, absl::InfiniteDuration(),
              [&](absl::Status status) { reserved = status; });
  EXPECT_OK(reserved);
  const absl::StatusOr<LogPosition> first = wal.Append({}, 10);
  const absl::StatusOr<LogPosition> second = wal.Append({}, 10);
  ASSERT_OK(second);
  EXPECT_LT(*first, *second) << "positions rise, also of empty entries";
  EXPECT_EQ(wal.durable(), kLogStart);

  wal.RequestSync(*second, SyncLevel::kData);
  EXPECT_EQ(wal.durable(), *second);
  // Already durable: nobody is told again.
  wal.RequestSync(*first, SyncLevel::kData);
  EXPECT_EQ(told, std::vector<LogPosition>({*second}));

  wal.RemoveListener(&listener);
  const absl::StatusOr<LogPosition> third = wal.Append({}, 10);
  absl::Status synced = absl::UnknownError("not told");
  wal.Sync(*third, SyncLevel::kFull,
           [&](absl::Status status) { synced = status; });
  EXPECT_OK(synced);
  EXPECT_EQ(told.size(), 1u);
}

}  // namespace
}  // namespace shale
