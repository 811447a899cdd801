// A region on a file system that is full, and then isn't.
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/check.h"
#include "shale/base/clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/posix_file_system.h"
#include "shale/filesystem/testing/temp_directory.h"
#include "shale/region/region_host.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

constexpr int kCellBytes = 4 << 10;

// A small disk in memory that only this process sees, for as long as it lives.
class SmallDisk {
 public:
  // Why there is none, if so.
  std::string Mount() {
    const uid_t user = getuid();
    // In a namespace of its own nobody needs to be root.
    if (unshare(CLONE_NEWNS) != 0 &&
        (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 || !MapUser(user))) {
      return absl::StrCat("no mount namespace: ", std::strerror(errno));
    }
    if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("shale", path().c_str(), "tmpfs", 0, "size=16m") != 0) {
      return absl::StrCat("no tmpfs: ", std::strerror(errno));
    }
    mounted_ = true;
    return "";
  }

  ~SmallDisk() {
    if (mounted_) umount2(path().c_str(), MNT_DETACH);
  }

  std::string path() const { return std::string(directory_.path()); }

  // Takes all the space there is, or gives it back.
  void Fill() {
    std::ofstream ballast(path() + "/ballast", std::ios::app);
    const std::string block(1 << 10, 'x');
    while (ballast << block && ballast.flush()) {
    }
  }
  void Free() { std::filesystem::remove(path() + "/ballast"); }

 private:
  static bool MapUser(uid_t user) {
    std::ofstream map("/proc/self/uid_map");
    map << "0 " << user << " 1";
    return map.flush().good();
  }

  TempDirectory directory_;
  bool mounted_ = false;
};

class FullDiskTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = disk_.Mount();
    if (!reason.empty()) GTEST_SKIP() << reason;
    executor_ = std::make_unique<ThreadPoolExecutor>(2, RealClock());
    Open();
  }

  // Whatever waits for space ends.
  void TearDown() override { disk_.Free(); }

  void Open() {
    HostOptions options;
    options.wal.segment_bytes = 64 << 10;
    options.wal.stall_retry = absl::Milliseconds(1);
    options.reserve_bytes = 4 << 20;
    RegionOptions region_options;
    region_options.write_timeout = absl::Seconds(1);
    auto files = PosixFileSystem::Open(disk_.path() + "/data",
                                       {*executor_, RealClock()});
    SHALE_CHECK_OK(files);
    files_ = *std::move(files);
    host_ = std::make_unique<TestHost>(*files_, TestHost::Schema(),
                                       region_options, options);
    ASSERT_OK(host_->Open());
  }

  Region& region() { return host_->region(); }

  // Begins to write a row.
  void Begin() {
    Write& write = writes_.emplace_back();
    MutationBatch batch;
    batch.timeout = kMaxWriteTimeout;
    batch.mutations.push_back(
        RowMutation(absl::StrCat("row", writes_.size()))
            .Put("f", "q", std::string(kCellBytes, 'v'), 1));
    region().ApplyAsync(std::move(batch), [&write](ApplyResult result) {
      write.status = result.status();
      write.done.Notify();
    });
  }
  void AwaitAll() {
    for (Write& write : writes_) {
      write.done.WaitForNotification();
      EXPECT_OK(write.status);
    }
  }
  // More than the log's segments have room for.
  void BeginUntilStalled() {
    for (int i = 0; i < 64; ++i) Begin();
    while (region().Health().state != HealthState::kStalled) {
      std::this_thread::yield();
    }
  }
  void CheckRows() { CheckRows(writes_.size()); }
  void CheckRows(size_t rows) {
    for (size_t row = 1; row <= rows; ++row) {
      EXPECT_FALSE(ReadText(region(), absl::StrCat("row", row)).empty()) << row;
    }
  }
  size_t Reserves() {
    auto files = ListFiles(*files_, "host/reserve/");
    SHALE_CHECK_OK(files);
    return files->size();
  }

  struct Write {
    absl::Notification done;
    absl::Status status;
  };

  SmallDisk disk_;
  std::unique_ptr<ThreadPoolExecutor> executor_;
  std::unique_ptr<PosixFileSystem> files_;
  std::deque<Write> writes_;
  std::unique_ptr<TestHost> host_;
};

// B028, B029.
TEST_F(FullDiskTest, WritesResumeWithoutReopeningOnceThereIsSpace) {
  for (int i = 0; i < 100; ++i) Begin();
  AwaitAll();
  disk_.Fill();
  BeginUntilStalled();
  CheckRows(100);
  EXPECT_EQ(Reserves(), 1u) << "it is not for the log";
  disk_.Free();
  AwaitAll();
  for (int i = 0; i < 100; ++i) Begin();
  AwaitAll();
  ASSERT_OK(region().Flush());
  EXPECT_EQ(region().Health().state, HealthState::kServing);
  CheckRows();
  host_->Reopen();
  CheckRows();
}

TEST_F(FullDiskTest, FlushGoesIntoTheSpaceSetAsideAndFreesTheLog) {
  for (int i = 0; i < 100; ++i) Begin();
  AwaitAll();
  disk_.Fill();
  BeginUntilStalled();
  ASSERT_OK(region().Flush());
  AwaitAll();
  CheckRows();
  disk_.Free();
  Begin();
  AwaitAll();
  ASSERT_OK(region().Flush());
  EXPECT_EQ(Reserves(), 1u);
  host_->Reopen();
  CheckRows();
}

// The same in memory, where the disk is full to the byte.
class FullMemoryTest : public testing::Test {
 protected:
  static constexpr int kRows = 40;

  void Open(int64_t reserve_bytes) {
    HostOptions options;
    options.wal.segment_bytes = 64 << 10;
    options.reserve_bytes = reserve_bytes;
    host_ = std::make_unique<TestHost>(files_, TestHost::Schema(),
                                       RegionOptions(), options);
    ASSERT_OK(host_->Open());
    for (int i = 0; i < kRows; ++i) {
      ASSERT_OK(host_->region().Apply(
          RowMutation(absl::StrCat("row", i))
              .Put("f", "q", std::string(kCellBytes, 'v'), 1)));
    }
    files_.SetCapacity(files_.used_bytes());
  }
  void CheckRows() {
    for (int i = 0; i < kRows; ++i) {
      EXPECT_FALSE(ReadText(host_->region(), absl::StrCat("row", i)).empty())
          << i;
    }
  }

  ThreadPoolExecutor executor_{2, RealClock()};
  MemoryFileSystem files_{executor_};
  std::unique_ptr<TestHost> host_;
};

TEST_F(FullMemoryTest, FlushTakesWhatWasSetAsideAndTheNextSetsItAsideAgain) {
  constexpr int64_t kReserveBytes = 1 << 20;
  Open(kReserveBytes);
  const uint64_t full = files_.used_bytes();
  ASSERT_OK(host_->region().Flush());
  CheckRows();
  EXPECT_LT(files_.used_bytes(), full - kReserveBytes / 2);
  files_.SetCapacity(full + kReserveBytes);
  ASSERT_OK(host_->region().Apply(RowMutation("more").Put("f", "q", "v", 1)));
  ASSERT_OK(host_->region().Flush());
  EXPECT_GE(files_.used_bytes(), kReserveBytes);
  ASSERT_OK(host_->Close());
  EXPECT_LT(files_.used_bytes(), kReserveBytes) << "a clean close needs none";
}

TEST_F(FullMemoryTest, CloseKeepsWhatTheNextRecoveryNeeds) {
  constexpr int64_t kReserveBytes = 1 << 20;
  Open(kReserveBytes);
  files_.SetCapacity(uint64_t{1} << 40);
  files_.Crash(1);
  host_->Close().IgnoreError();  // Its files are gone.
  HostOptions options;
  options.reserve_bytes = kReserveBytes;
  RegionSchema absent = TestHost::Schema();
  absent.name = "absent";
  TestHost other(files_, absent, {}, options);
  EXPECT_THAT(other.Open(), StatusIs(absl::StatusCode::kNotFound));
  ASSERT_OK(other.Close());
  ASSERT_OK_AND_ASSIGN(const auto reserves, ListFiles(files_, "host/reserve/"));
  EXPECT_EQ(reserves.size(), 1u) << "no region was opened and flushed";
  ASSERT_OK(host_->Open());
  CheckRows();
}

TEST_F(FullMemoryTest, FlushWithNothingSetAsideFailsAndKeepsAll) {
  Open(0);
  EXPECT_THAT(host_->region().Flush(),
              StatusIs(absl::StatusCode::kResourceExhausted));
  CheckRows();
  files_.SetCapacity(uint64_t{1} << 40);
  ASSERT_OK(host_->region().Flush());
  CheckRows();
}

TEST_F(FullMemoryTest, RecoveryTakesWhatWasSetAside) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    files_.SetCapacity(uint64_t{1} << 40);
    Open(1 << 20);
    files_.Crash(seed);
    host_->Close().IgnoreError();  // Its files are gone.
    ASSERT_OK(host_->Open()) << "seed " << seed;
    CheckRows();
    ASSERT_OK(host_->region().Flush());
    ASSERT_OK(host_->Close());
    host_.reset();
  }
}

}  // namespace
}  // namespace shale
