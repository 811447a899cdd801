// The log on a directory of the machine.
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/completion.h"
#include "shale/base/metrics.h"
#include "shale/base/status_macros.h"
#include "shale/base/testing/capturing_log_sink.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/posix_file_system.h"
#include "shale/filesystem/testing/temp_directory.h"
#include "shale/wal/read_wal.h"
#include "shale/wal/testing/log_harness.h"

namespace shale {
namespace {

class WalPosixTest : public testing::TestWithParam<const WalVariant*> {
 protected:
  WalPosixTest() {
    auto files = PosixFileSystem::Open(
        directory_.path(), {.executor = executor_, .clock = RealClock()});
    EXPECT_OK(files);
    files_ = *std::move(files);
  }
  ~WalPosixTest() override { Kill(); }

  // What the new owner is given to replay.
  std::vector<std::string> Open() {
    auto lease = AcquireLease(*files_, "host", "test");
    EXPECT_OK(lease);
    lease_ = *std::move(lease);
    CollectingSink sink;
    auto wal =
        GetParam()->open({}, {*files_, RealClock(), executor_, metrics_, log_},
                         "host/wal", lease_->token(), sink, nullptr);
    EXPECT_OK(wal);
    wal_ = *std::move(wal);
    return sink.payloads;
  }
  void Kill() {
    wal_.reset();
    lease_.reset();
  }
  absl::Status Write(const std::string& payload) {
    const int64_t bytes = static_cast<int64_t>(payload.size());
    Waiter<absl::Status> reserved;
    wal_->Reserve(bytes, absl::InfiniteDuration(), reserved.callback());
    SHALE_RETURN_IF_ERROR(reserved.Wait());
    SHALE_ASSIGN_OR_RETURN(const LogPosition position,
                           wal_->Append(TestEntry(payload), bytes));
    Waiter<absl::Status> synced;
    wal_->Sync(position, SyncLevel::kFull, synced.callback());
    return synced.Wait();
  }

  TempDirectory directory_;
  ThreadPoolExecutor executor_{2, RealClock()};
  std::unique_ptr<PosixFileSystem> files_;
  MetricsRegistry metrics_;
  CapturingLogSink log_;
  std::unique_ptr<Lease> lease_;
  std::unique_ptr<Wal> wal_;
};

INSTANTIATE_TEST_SUITE_P(Engines, WalPosixTest,
                         testing::ValuesIn(AllVariants()), VariantName);

TEST_P(WalPosixTest, EntriesSurviveOwnersThatCloseAndThatDie) {
  std::vector<std::string> written;
  for (int owner = 0; owner < 6; ++owner) {
    EXPECT_EQ(Open(), written);
    for (int i = 0; i < 5; ++i) {
      written.push_back(absl::StrCat("owner ", owner, " entry ", i));
      ASSERT_OK(Write(written.back()));
      if (i == 2) {
        Waiter<absl::Status> rolled;
        wal_->Roll(rolled.callback());
        ASSERT_OK(rolled.Wait());
      }
    }
    if (owner % 2 == 0) {
      ASSERT_OK(wal_->Close());
    }
    Kill();
  }
  const auto before = directory_.Snapshot();
  CollectingSink sink;
  ASSERT_OK(ReadWal(*files_, "host/wal", sink, nullptr));
  EXPECT_EQ(sink.payloads, written);
  EXPECT_EQ(directory_.Snapshot(), before);
}

}  // namespace
}  // namespace shale
