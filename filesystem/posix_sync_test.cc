// What syncs the posix file system makes and what it makes of those that fail:
// this binary's fsync and renameat come before those of the C library.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <memory>
#include <set>
#include <string>

#include "absl/base/attributes.h"
#include "absl/base/const_init.h"
#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/check.h"
#include "shale/base/clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/outcome.h"
#include "shale/filesystem/posix_file_system.h"
#include "shale/filesystem/testing/temp_directory.h"

namespace shale {
namespace {

// What fsync of a directory fails with, unless 0. Relaxed: set while no call
// runs.
std::atomic<int> directory_sync_error = 0;

// Files, by inode, that were synced and not renamed since.
ABSL_CONST_INIT absl::Mutex synced_mu(absl::kConstInit);
std::set<ino_t>& SyncedFiles() ABSL_EXCLUSIVE_LOCKS_REQUIRED(synced_mu) {
  static auto* const files = new std::set<ino_t>;
  return *files;
}

class PosixSyncTest : public testing::Test {
 protected:
  PosixSyncTest() { Reopen(); }
  ~PosixSyncTest() override { directory_sync_error = 0; }

  // As another process would find the directory.
  void Reopen() {
    lease_.reset();
    files_.reset();
    auto files =
        PosixFileSystem::Open(directory_.path(), {executor_, RealClock()});
    SHALE_CHECK_OK(files);
    files_ = *std::move(files);
    auto lease = AcquireLease(*files_, "dir", "the test");
    SHALE_CHECK_OK(lease);
    lease_ = *std::move(lease);
    // The owner goes on record.
    SHALE_CHECK_OK(RemoveFile(*files_, "dir/none", lease_->token()));
  }

  absl::Status Commit(absl::string_view name, absl::string_view bytes,
                      uint64_t expected) {
    return CommitMeta(*files_, name, std::string(bytes), {expected},
                      lease_->token())
        .status();
  }

  std::string Stored(absl::string_view name) {
    const absl::StatusOr<MetaObject> object = ReadMeta(*files_, name);
    return object.ok() ? object->bytes : object.status().ToString();
  }

  TempDirectory directory_;
  ThreadPoolExecutor executor_{2, RealClock()};
  std::unique_ptr<PosixFileSystem> files_;
  std::unique_ptr<Lease> lease_;
};

TEST_F(PosixSyncTest, NoSpaceToSyncADirectoryIsNoWordThatNothingWasChanged) {
  ASSERT_OK(WriteWholeFile(*files_, "dir/file", "x", lease_->token()));
  ASSERT_OK(Commit("dir/m", "old", 0));
  for (const int error : {ENOSPC, EDQUOT}) {
    const std::string clone = absl::StrCat("dir/clone", error);
    const std::string made = absl::StrCat("dir/made", error);
    const std::string gone = absl::StrCat("dir/gone", error);
    ASSERT_OK(WriteWholeFile(*files_, gone, "x", lease_->token()));
    directory_sync_error = error;
    for (const absl::Status& status :
         {Commit("dir/m", "new", error == ENOSPC ? 1 : 2),
          Commit(made, "new", 0),
          CloneFile(*files_, "dir/file", clone, lease_->token()),
          RemoveFile(*files_, gone, lease_->token()),
          RemoveFile(*files_, "dir/none", lease_->token())}) {
      EXPECT_EQ(OutcomeOf(status), FileOutcome::kIoError) << status;
      EXPECT_EQ(status.code(), absl::StatusCode::kUnknown) << status;
      EXPECT_EQ(ErrnoOf(status), error) << status;
    }
    directory_sync_error = 0;
    EXPECT_EQ(Stored("dir/m"), "new");
    EXPECT_EQ(Stored(made), "new");
    EXPECT_THAT(ReadWholeFile(*files_, clone), IsOkAndHolds("x"));
    EXPECT_THAT(OpenFile(*files_, gone), StatusIs(absl::StatusCode::kNotFound));
  }
}

// B026. XFS, say, may leave a renamed file that was not synced with no bytes.
TEST_F(PosixSyncTest, EverySmallMetadataFileSurvivesAPowerLoss) {
  for (int i = 0; i < 10; ++i) {
    for (uint64_t version = 0; version < 3; ++version) {
      ASSERT_OK(Commit(absl::StrCat("dir/m", i), absl::StrCat(i, ".", version),
                       version));
    }
  }
  Reopen();
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(Stored(absl::StrCat("dir/m", i)), absl::StrCat(i, ".2"));
  }
  EXPECT_OK(files_->LastOwner("dir"));
}

}  // namespace
}  // namespace shale

extern "C" int fsync(int fd) {
  struct stat info;
  if (fstat(fd, &info) != 0) return -1;
  const int error =
      S_ISDIR(info.st_mode) ? shale::directory_sync_error.load() : 0;
  if (error != 0) {
    errno = error;
    return -1;
  }
  {
    absl::MutexLock lock(&shale::synced_mu);
    shale::SyncedFiles().insert(info.st_ino);
  }
  return static_cast<int>(syscall(SYS_fsync, fd));
}

extern "C" int renameat(int from_directory, const char* from, int to_directory,
                        const char* to) noexcept {
  struct stat info;
  if (fstatat(from_directory, from, &info, 0) != 0) return -1;
  bool synced;
  {
    absl::MutexLock lock(&shale::synced_mu);
    synced = shale::SyncedFiles().erase(info.st_ino) > 0;
  }
  if (!synced) {
    const int fd = openat(from_directory, from, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd < 0) return -1;
    close(fd);
  }
  return static_cast<int>(
      syscall(SYS_renameat2, from_directory, from, to_directory, to, 0));
}
