#include "shale/filesystem/modelled_device.h"

#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/check.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/filesystem/memory_file_system.h"

namespace shale {
namespace {

using testing::Each;
using testing::ElementsAre;

constexpr absl::Duration kSync = absl::Microseconds(350);
constexpr absl::Duration kRead = absl::Microseconds(50);
constexpr absl::Duration kOut = absl::Microseconds(20);
constexpr absl::Duration kBack = absl::Microseconds(10);
constexpr absl::Duration kLink = absl::Microseconds(30);  // Both ways.

// Over memory, on a clock that only the test moves.
class ModelledDeviceTest : public testing::Test {
 protected:
  ModelledDeviceTest() {
    lease_ = Wait<absl::StatusOr<std::unique_ptr<Lease>>>([&](auto done) {
               files_.Acquire("dir", "the test", 0, std::move(done));
             }).value();
    file_ = Wait<absl::StatusOr<std::unique_ptr<AppendFile>>>([&](auto done) {
              files_.Create("dir/log", FileKind::kLog, lease_->token(), {},
                            std::move(done));
            }).value();
  }

  // Runs tasks and moves the clock until nothing is left to do.
  void RunToTheEnd() {
    do {
      executor_.RunUntilIdle();
    } while (executor_.AdvanceToNextTimer());
  }

  // The result of one call, and in `took_` how long it took.
  template <typename Result, typename Call>
  Result Wait(Call call) {
    const absl::Duration start = clock_.Monotonic();
    std::optional<Result> result;
    call([&](Result value) {
      result = std::move(value);
      took_ = clock_.Monotonic() - start;
    });
    RunToTheEnd();
    SHALE_CHECK(result.has_value());
    return *std::move(result);
  }

  ManualClock clock_;
  DeterministicExecutor executor_{clock_, 1};
  MemoryFileSystem memory_{executor_};
  ModelledDeviceFileSystem files_{memory_,
                                  clock_,
                                  executor_,
                                  {.sync_latency = kSync,
                                   .read_latency = kRead,
                                   .link_latency_out = kOut,
                                   .link_latency_back = kBack}};
  std::unique_ptr<Lease> lease_;
  std::unique_ptr<AppendFile> file_;
  absl::Duration took_;
};

TEST_F(ModelledDeviceTest, AtMostFourSyncsAreInFlight) {
  const absl::Duration start = clock_.Monotonic();
  std::vector<absl::Duration> ends;
  for (int i = 0; i < 9; ++i) {
    file_->Sync(SyncMode::kData, [&](absl::Status status) {
      EXPECT_OK(status);
      ends.push_back(clock_.Monotonic() - start - kLink);
    });
  }
  RunToTheEnd();
  EXPECT_THAT(ends, ElementsAre(kSync, kSync, kSync, kSync, 2 * kSync,
                                2 * kSync, 2 * kSync, 2 * kSync, 3 * kSync));
}

TEST_F(ModelledDeviceTest, NothingIsAnsweredBeforeItsTime) {
  bool synced = false;
  file_->Sync(SyncMode::kData, [&](absl::Status) { synced = true; });
  executor_.RunUntilIdle();
  clock_.Advance(kLink + kSync - absl::Nanoseconds(1));
  executor_.RunUntilIdle();
  EXPECT_FALSE(synced);
  clock_.Advance(absl::Nanoseconds(1));
  executor_.RunUntilIdle();
  EXPECT_TRUE(synced);
}

TEST_F(ModelledDeviceTest, EachCallTakesWhatTheHeaderSays) {
  const OwnerToken& token = lease_->token();
  const auto status = [&](auto call) { EXPECT_OK(Wait<absl::Status>(call)); };
  EXPECT_OK(Wait<absl::StatusOr<uint64_t>>(
      [&](auto done) { file_->Append("0123456789", std::move(done)); }));
  EXPECT_EQ(took_, kLink);
  status([&](auto done) { file_->Finish(std::move(done)); });
  EXPECT_EQ(took_, kLink + kSync);
  status([&](auto done) {
    files_.Clone("dir/log", "dir/copy", token, std::move(done));
  });
  EXPECT_EQ(took_, kLink + kSync);
  status([&](auto done) { files_.Remove("dir/copy", token, std::move(done)); });
  EXPECT_EQ(took_, kLink + kSync);
  EXPECT_OK(Wait<absl::StatusOr<MetaVersion>>([&](auto done) {
    files_.CommitMeta("dir/m", "x", {}, token, std::move(done));
  }));
  EXPECT_EQ(took_, kLink + kSync);
  EXPECT_OK(Wait<absl::StatusOr<MetaObject>>(
      [&](auto done) { files_.ReadMeta("dir/m", std::move(done)); }));
  EXPECT_EQ(took_, kLink + kRead);
  EXPECT_OK(Wait<absl::StatusOr<FileListing>>(
      [&](auto done) { files_.List("", "", std::move(done)); }));
  EXPECT_EQ(took_, kLink);
  EXPECT_OK(Wait<absl::StatusOr<std::unique_ptr<ReadFile>>>(
      [&](auto done) { files_.Open("dir/log", {}, std::move(done)); }));
  EXPECT_EQ(took_, kLink);
  EXPECT_OK(Wait<absl::StatusOr<uint64_t>>(
      [&](auto done) { files_.Seal("dir/log", token, std::move(done)); }));
  EXPECT_EQ(took_, kLink + kSync);
  auto reader = Wait<absl::StatusOr<std::unique_ptr<ReadFile>>>(
      [&](auto done) { files_.Open("dir/log", 10, std::move(done)); });
  ASSERT_OK(reader);
  EXPECT_EQ(took_, absl::ZeroDuration());
  const std::vector<FileExtent> extents(17, FileExtent{2, 3});
  EXPECT_THAT((Wait<absl::StatusOr<std::vector<std::string>>>([&](auto done) {
                 (*reader)->ReadMany(extents, std::move(done));
               }).value()),
              Each("234"));
  EXPECT_EQ(took_, kLink + 2 * kRead);  // 16 at a time.
}

TEST_F(ModelledDeviceTest, CallsThatWaitSleepOnTheClock) {
  clock_.AdvanceInsteadOfSleeping();
  absl::Duration start = clock_.Monotonic();
  EXPECT_OK(file_->AppendNow("0123456789"));
  EXPECT_EQ(clock_.Monotonic() - start, kLink);
  start = clock_.Monotonic();
  EXPECT_OK(file_->SyncNow(SyncMode::kData));
  EXPECT_EQ(clock_.Monotonic() - start, kLink + kSync);
  auto reader = Wait<absl::StatusOr<std::unique_ptr<ReadFile>>>(
      [&](auto done) { files_.Open("dir/log", {}, std::move(done)); });
  ASSERT_OK(reader);
  start = clock_.Monotonic();
  EXPECT_THAT((*reader)->ReadNow({5, 100}), IsOkAndHolds("56789"));
  EXPECT_EQ(clock_.Monotonic() - start, kLink + kRead);
}

TEST_F(ModelledDeviceTest, FourThreadsSyncAtATime) {
  std::vector<std::thread> syncers;
  for (int i = 0; i < 5; ++i) {
    syncers.emplace_back([&] { EXPECT_OK(file_->SyncNow(SyncMode::kData)); });
  }
  clock_.AwaitWaiters(5);
  clock_.Advance(kLink + kSync);
  clock_.AwaitWaiters(1);
  clock_.Advance(kSync);
  for (std::thread& syncer : syncers) syncer.join();
}

TEST_F(ModelledDeviceTest, CountersSayWhatTheDeviceHasDone) {
  clock_.AdvanceInsteadOfSleeping();
  const ModelledDeviceCounters before = files_.counters();
  EXPECT_OK(file_->AppendNow("0123456789"));
  EXPECT_OK(file_->AppendNow("01234"));
  EXPECT_OK(file_->SyncNow(SyncMode::kData));
  auto reader = Wait<absl::StatusOr<std::unique_ptr<ReadFile>>>(
      [&](auto done) { files_.Open("dir/log", {}, std::move(done)); });
  ASSERT_OK(reader);
  EXPECT_OK((*reader)->ReadNow({12, 100}));
  const ModelledDeviceCounters after = files_.counters();
  EXPECT_EQ(after.appends - before.appends, 2);
  EXPECT_EQ(after.appended_bytes - before.appended_bytes, 15);
  EXPECT_EQ(after.syncs - before.syncs, 1);
  EXPECT_EQ(after.reads - before.reads, 1);
  EXPECT_EQ(after.read_bytes - before.read_bytes, 3);
}

TEST_F(ModelledDeviceTest, DestructorDoesNotWaitForTheClock) {
  int called = 0;
  file_->Append("x", [&](absl::StatusOr<uint64_t>) { ++called; });
  file_->Sync(SyncMode::kData, [&](absl::Status status) {
    EXPECT_OK(status);
    ++called;
  });
  file_ = nullptr;
  EXPECT_EQ(called, 2);
}

}  // namespace
}  // namespace shale
