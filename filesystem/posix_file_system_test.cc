#include "shale/filesystem/posix_file_system.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/check.h"
#include "shale/base/clock.h"
#include "shale/base/status_macros.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/outcome.h"
#include "shale/filesystem/testing/temp_directory.h"

namespace shale {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

class PosixFileSystemTest : public testing::Test {
 protected:
  std::unique_ptr<PosixFileSystem> Open(bool read_only = false) {
    auto files = PosixFileSystem::Open(directory_.path(),
                                       {executor_, RealClock(), read_only});
    SHALE_CHECK_OK(files);
    return *std::move(files);
  }

  // Of an owner of "dir" who was there, changed something, and has gone.
  absl::Status RecordedOwner(FileSystem& files, absl::string_view owner) {
    SHALE_ASSIGN_OR_RETURN(const auto lease, AcquireLease(files, "dir", owner));
    return RemoveFile(files, "dir/none", lease->token());
  }

  std::string Path(absl::string_view name) {
    return absl::StrCat(directory_.path(), "/", name);
  }

  struct stat Stat(absl::string_view name) {
    struct stat info;
    SHALE_CHECK(stat(Path(name).c_str(), &info) == 0) << name;
    return info;
  }

  // Puts a pipe in the place of every descriptor of the file, so that the
  // kernel fails whatever comes next.
  void BreakDescriptorsOf(absl::string_view name) {
    int ends[2];
    SHALE_CHECK(pipe2(ends, O_CLOEXEC) == 0);
    std::vector<int> found;
    for (const auto& entry :
         std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code error;
      const auto target = std::filesystem::read_symlink(entry.path(), error);
      if (target == std::filesystem::path(Path(name))) {
        found.push_back(std::stoi(entry.path().filename()));
      }
    }
    SHALE_CHECK(!found.empty());
    for (const int fd : found) SHALE_CHECK(dup2(ends[1], fd) == fd);
    close(ends[0]);
    close(ends[1]);
  }

  TempDirectory directory_;
  ThreadPoolExecutor executor_{2, RealClock()};
};

TEST_F(PosixFileSystemTest, RootIsMadeWithWhatIsAboveIt) {
  const std::string root = Path("not/yet/there");
  ASSERT_OK(PosixFileSystem::Open(root, {executor_, RealClock()}));
  EXPECT_TRUE(std::filesystem::is_directory(root));
}

TEST_F(PosixFileSystemTest, ReadOnlyDoesNotMakeTheRoot) {
  const std::string root = Path("missing");
  EXPECT_THAT(PosixFileSystem::Open(root, {executor_, RealClock(), true}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(root)));
  EXPECT_FALSE(std::filesystem::exists(root));
}

TEST_F(PosixFileSystemTest, AFileIsNoRoot) {
  std::ofstream(Path("file")) << "x";
  EXPECT_THAT(
      PosixFileSystem::Open(Path("file"), {executor_, RealClock()}).status(),
      testing::Not(IsOk()));
}

TEST_F(PosixFileSystemTest, ReadOnlyChangesNothingOnDisk) {
  OwnerToken token;
  {
    const auto files = Open();
    ASSERT_OK_AND_ASSIGN(const auto lease, AcquireLease(*files, "dir", "me"));
    token = lease->token();
    ASSERT_OK(WriteWholeFile(*files, "dir/data", "bytes", token));
    ASSERT_OK(CommitMeta(*files, "dir/m", "meta", {}, token));
    ASSERT_OK(CreateFile(*files, "dir/log", FileKind::kLog, token));
  }
  std::ofstream(Path("dir/.meta/.new")) << "a commit cut short";
  const auto before = directory_.Snapshot();
  const auto files = Open(/*read_only=*/true);
  EXPECT_OK(ShareLease(*files, "dir"));
  EXPECT_OK(ShareLease(*files, "nobodys"));
  EXPECT_THAT(ReadWholeFile(*files, "dir/data"), IsOkAndHolds("bytes"));
  ASSERT_OK_AND_ASSIGN(const MetaObject meta, ReadMeta(*files, "dir/m"));
  EXPECT_EQ(meta.bytes, "meta");
  EXPECT_OK(ListFiles(*files, ""));
  const auto refused = StatusIs(absl::StatusCode::kInvalidArgument,
                                HasSubstr("open for reading only"));
  EXPECT_THAT(AcquireLease(*files, "dir", "me"), refused);
  EXPECT_THAT(CreateFile(*files, "dir/a", FileKind::kLog, token), refused);
  EXPECT_THAT(RemoveFile(*files, "dir/data", token), refused);
  EXPECT_THAT(CloneFile(*files, "dir/data", "dir/a", token), refused);
  EXPECT_THAT(CommitMeta(*files, "dir/m", "", meta.version, token), refused);
  EXPECT_THAT(SealFile(*files, "dir/log", token), refused);
  EXPECT_EQ(directory_.Snapshot(), before);
}

TEST_F(PosixFileSystemTest, OwnerInThisProcessIsNamedWithItsPid) {
  const auto files = Open();
  const auto others = Open();
  ASSERT_OK_AND_ASSIGN(auto lease, AcquireLease(*files, "dir", "import"));
  // An owner who has changed nothing has left no name.
  EXPECT_THAT(
      AcquireLease(*others, "dir", "another"),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AnyOf(absl::StrCat("acquire dir: owned by process ", getpid()),
                     "acquire dir: owned by another process")));
  ASSERT_OK(CommitMeta(*files, "dir/m", "x", {}, lease->token()));
  EXPECT_THAT(
      AcquireLease(*others, "dir", "another"),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("dir: owned by import, "),
                     HasSubstr(absl::StrCat("pid ", getpid(), " on host ")),
                     HasSubstr(", since "))));
  EXPECT_THAT(
      ShareLease(*others, "dir"),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               HasSubstr(absl::StrCat("share dir: owned by import, pid ",
                                      getpid(), " on host "))));
  const uint64_t epoch = lease->token().epoch;
  lease.reset();
  ASSERT_OK_AND_ASSIGN(lease, AcquireLease(*others, "dir", "another"));
  EXPECT_GT(lease->token().epoch, epoch);
}

TEST_F(PosixFileSystemTest, ReadersAreNamedByTheirPid) {
  const auto files = Open();
  ASSERT_OK(AcquireLease(*files, "dir", "first"));  // Makes the lock.
  ASSERT_OK_AND_ASSIGN(const auto reader, ShareLease(*Open(), "dir"));
  EXPECT_THAT(AcquireLease(*files, "dir", "second"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AnyOf(absl::StrCat("acquire dir: process ", getpid(),
                                          " is reading it"),
                             "acquire dir: another process is reading it")));
}

// A process that only takes the lock, as an owner does, until it is killed.
TEST_F(PosixFileSystemTest, OwnerInAnotherProcessBlocksUntilItDies) {
  const auto files = Open();
  // Given back at once.
  ASSERT_OK(RecordedOwner(*files, "first"));
  const std::string lock_path = Path("dir/.meta/.lock");
  int locked[2];
  ASSERT_EQ(pipe2(locked, O_CLOEXEC), 0);
  const pid_t child = fork();
  if (child == 0) {
    const int fd = open(lock_path.c_str(), O_RDWR);
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0) _exit(1);
    if (write(locked[1], "x", 1) != 1) _exit(1);
    pause();
    _exit(1);
  }
  char byte;
  ASSERT_EQ(read(locked[0], &byte, 1), 1);
  EXPECT_THAT(AcquireLease(*files, "dir", "second"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AnyOf(HasSubstr(absl::StrCat("process ", child)),
                             HasSubstr("owned by first"))));
  ASSERT_EQ(kill(child, SIGKILL), 0);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_OK(AcquireLease(*files, "dir", "second"));
  close(locked[0]);
  close(locked[1]);
}

TEST_F(PosixFileSystemTest, EpochsRiseAcrossProcesses) {
  uint64_t last = 0;
  for (int i = 0; i < 3; ++i) {
    const auto files = Open();
    ASSERT_OK_AND_ASSIGN(const auto lease, AcquireLease(*files, "dir", "me"));
    EXPECT_GT(lease->token().epoch, last);
    last = lease->token().epoch;
    ASSERT_OK(
        CommitMeta(*files, absl::StrCat("dir/m", i), "", {}, lease->token()));
  }
}

TEST_F(PosixFileSystemTest, AnOwnerWhoChangesNothingLeavesNoTrace) {
  ASSERT_OK(RecordedOwner(*Open(), "first"));
  std::ofstream(Path("dir/.meta/.new")) << "a commit cut short";
  const auto before = directory_.Snapshot();
  const auto files = Open();
  uint64_t epoch = 0;
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK_AND_ASSIGN(const auto lease, AcquireLease(*files, "dir", "me"));
    // Nor may a token that was given out be mistaken for a later one's.
    EXPECT_GT(lease->token().epoch, epoch);
    epoch = lease->token().epoch;
  }
  EXPECT_EQ(directory_.Snapshot(), before);
}

TEST_F(PosixFileSystemTest, TheOwnerIsOnRecordBeforeItsFirstChange) {
  ASSERT_OK(RecordedOwner(*Open(), "first"));
  const auto files = Open();
  ASSERT_OK_AND_ASSIGN(const auto lease,
                       AcquireLease(*files, "dir", "me", /*above=*/41));
  EXPECT_EQ(lease->token().epoch, 42);
  ASSERT_OK_AND_ASSIGN(OwnerToken last, files->LastOwner("dir"));
  EXPECT_EQ(last.epoch, 1);
  // Even by a change that fails.
  EXPECT_THAT(CommitMeta(*files, "dir/m", "x", {9}, lease->token()),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  ASSERT_OK_AND_ASSIGN(last, files->LastOwner("dir"));
  EXPECT_EQ(last, lease->token());
}

TEST_F(PosixFileSystemTest, LostOwnerObjectCountsAsNoOwner) {
  ASSERT_OK(RecordedOwner(*Open(), "first"));
  std::filesystem::remove(Path("dir/.meta/.owner"));
  const auto files = Open();
  EXPECT_THAT(files->LastOwner("dir"), StatusIs(absl::StatusCode::kNotFound));
  ASSERT_OK_AND_ASSIGN(const auto lease,
                       AcquireLease(*files, "dir", "me", /*above=*/7));
  EXPECT_EQ(lease->token().epoch, 8);
  EXPECT_OK(WriteWholeFile(*files, "dir/a", "x", lease->token()));
}

TEST_F(PosixFileSystemTest, DamagedOwnerObjectIsDataLossAndGivesNoLease) {
  ASSERT_OK(RecordedOwner(*Open(), "me"));
  std::filesystem::resize_file(Path("dir/.meta/.owner"), 20);
  const auto before = directory_.Snapshot();
  const auto damaged =
      StatusIs(absl::StatusCode::kDataLoss,
               AllOf(HasSubstr("dir/.meta/.owner"), HasSubstr("offset 20")));
  for (int i = 0; i < 2; ++i) {  // The lock is not kept after the failure.
    EXPECT_THAT(AcquireLease(*Open(), "dir", "me"), damaged);
  }
  EXPECT_THAT(Open()->LastOwner("dir"), damaged);
  EXPECT_EQ(directory_.Snapshot(), before);
}

TEST_F(PosixFileSystemTest, DamagedMetadataIsNamedAndNotReplaced) {
  const auto files = Open();
  ASSERT_OK_AND_ASSIGN(const auto lease, AcquireLease(*files, "dir", "me"));
  ASSERT_OK_AND_ASSIGN(
      const MetaVersion version,
      CommitMeta(*files, "dir/m", "bytes", {}, lease->token()));
  std::fstream(Path("dir/.meta/m"), std::ios::in | std::ios::out).seekp(30)
      << "!";
  const auto damaged = StatusIs(
      absl::StatusCode::kDataLoss,
      AllOf(HasSubstr("dir/.meta/m"), HasSubstr("crc32c at offset 12")));
  EXPECT_THAT(ReadMeta(*files, "dir/m"), damaged);
  EXPECT_THAT(CommitMeta(*files, "dir/m", "x", version, lease->token()),
              damaged);
}

TEST_F(PosixFileSystemTest, LeftoverOfACommitIsReplacedByTheNext) {
  {
    const auto files = Open();
    ASSERT_OK_AND_ASSIGN(const auto lease, AcquireLease(*files, "dir", "me"));
    ASSERT_OK(CommitMeta(*files, "dir/m", "bytes", {}, lease->token()));
  }
  std::ofstream(Path("dir/.meta/.new")) << "a commit cut short";
  const auto files = Open();
  ASSERT_OK_AND_ASSIGN(const auto lease, AcquireLease(*files, "dir", "me"));
  ASSERT_OK_AND_ASSIGN(MetaObject meta, ReadMeta(*files, "dir/m"));
  EXPECT_EQ(meta.bytes, "bytes");
  ASSERT_OK(CommitMeta(*files, "dir/m", "x", meta.version, lease->token()));
  EXPECT_FALSE(std::filesystem::exists(Path("dir/.meta/.new")));
  ASSERT_OK_AND_ASSIGN(meta, ReadMeta(*files, "dir/m"));
  EXPECT_EQ(meta.bytes, "x");
}

TEST_F(PosixFileSystemTest, FinishedIsKnownAfterReopening) {
  {
    const auto files = Open();
    ASSERT_OK_AND_ASSIGN(const auto lease, AcquireLease(*files, "dir", "me"));
    ASSERT_OK(WriteWholeFile(*files, "dir/done", "x", lease->token()));
    ASSERT_OK_AND_ASSIGN(
        const auto log,
        CreateFile(*files, "dir/log", FileKind::kLog, lease->token()));
    ASSERT_OK(log->AppendNow("tail"));
  }
  const auto files = Open();
  ASSERT_OK_AND_ASSIGN(const auto lease, AcquireLease(*files, "dir", "me"));
  EXPECT_OK(CloneFile(*files, "dir/done", "dir/copy", lease->token()));
  EXPECT_THAT(CloneFile(*files, "dir/log", "dir/copy2", lease->token()),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(SealFile(*files, "dir/log", lease->token()), IsOkAndHolds(4));
  EXPECT_THAT(SealFile(*files, "dir/log", lease->token()), IsOkAndHolds(4));
  EXPECT_OK(CloneFile(*files, "dir/log", "dir/copy2", lease->token()));
  EXPECT_EQ(Stat("dir/log").st_ino, Stat("dir/copy2").st_ino);
}

TEST_F(PosixFileSystemTest, ExpectedBytesAreSetAsideAndGivenBack) {
  const auto files = Open();
  ASSERT_OK_AND_ASSIGN(const auto lease, AcquireLease(*files, "dir", "me"));
  ASSERT_OK_AND_ASSIGN(const auto log,
                       CreateFile(*files, "dir/log", FileKind::kLog,
                                  lease->token(), {.expected_bytes = 1 << 20}));
  if (Stat("dir/log").st_blocks == 0) {
    GTEST_SKIP() << "the disk's file system can't preallocate";
  }
  EXPECT_EQ(Stat("dir/log").st_size, 0);
  EXPECT_GE(Stat("dir/log").st_blocks * 512, 1 << 20);
  ASSERT_OK(log->AppendNow("x"));
  ASSERT_OK(FinishFile(*log));
  EXPECT_LT(Stat("dir/log").st_blocks * 512, 1 << 20);
  EXPECT_EQ(Stat("dir/log").st_size, 1);
}

TEST_F(PosixFileSystemTest, WithoutSpaceThatMustBeSetAsideThereIsNoFile) {
  const auto files = Open();
  ASSERT_OK_AND_ASSIGN(const auto lease, AcquireLease(*files, "dir", "me"));
  CreateOptions options{.expected_bytes = uint64_t{1} << 60,
                        .must_reserve = true};
  EXPECT_THAT(
      CreateFile(*files, "dir/data", FileKind::kData, lease->token(), options),
      testing::Not(IsOk()));
  EXPECT_FALSE(std::filesystem::exists(Path("dir/data")));
  options.must_reserve = false;
  EXPECT_OK(
      CreateFile(*files, "dir/data", FileKind::kData, lease->token(), options));
}

TEST_F(PosixFileSystemTest, NoDescriptorsLeftIsNoSpaceAndPassesOver) {
  const auto files = Open();
  ASSERT_OK_AND_ASSIGN(const auto lease, AcquireLease(*files, "dir", "me"));
  ASSERT_OK(WriteWholeFile(*files, "dir/before", "x", lease->token()));
  rlimit limit;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  const rlimit none{3, limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto created =
      CreateFile(*files, "dir/log", FileKind::kLog, lease->token());
  const auto opened = OpenFile(*files, "dir/before");
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_EQ(OutcomeOf(created.status()), FileOutcome::kNoSpace)
      << created.status();
  EXPECT_EQ(ErrnoOf(created.status()), EMFILE);
  EXPECT_EQ(OutcomeOf(opened.status()), FileOutcome::kNoSpace);
  EXPECT_OK(CreateFile(*files, "dir/log", FileKind::kLog, lease->token()));
}

// The limit on a file's size lets the kernel write part of an append.
TEST_F(PosixFileSystemTest, PartOfAFailedAppendIsCutOff) {
  const auto files = Open();
  ASSERT_OK_AND_ASSIGN(const auto lease, AcquireLease(*files, "dir", "me"));
  ASSERT_OK_AND_ASSIGN(
      const auto log,
      CreateFile(*files, "dir/log", FileKind::kLog, lease->token()));
  ASSERT_OK(log->AppendNow("0123456789"));
  signal(SIGXFSZ, SIG_IGN);
  rlimit limit;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
  const rlimit small{64, limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const absl::Status failed = log->AppendNow(std::string(100, 'x')).status();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  EXPECT_EQ(OutcomeOf(failed), FileOutcome::kIoError) << failed;
  EXPECT_EQ(ErrnoOf(failed), EFBIG);
  EXPECT_THAT(failed.message(),
              HasSubstr("append 100 bytes at 10 to dir/log: File too large"));
  EXPECT_EQ(log->AppendNow("more").status(), failed);
  EXPECT_EQ(log->accepted(), 10);
  EXPECT_THAT(ReadWholeFile(*files, "dir/log"), IsOkAndHolds("0123456789"));
}

TEST_F(PosixFileSystemTest, FailedSyncPoisonsTheFile) {
  const auto files = Open();
  ASSERT_OK_AND_ASSIGN(const auto lease, AcquireLease(*files, "dir", "me"));
  ASSERT_OK_AND_ASSIGN(
      const auto log,
      CreateFile(*files, "dir/log", FileKind::kLog, lease->token()));
  ASSERT_OK(log->AppendNow("durable"));
  ASSERT_OK(log->SyncNow(SyncMode::kData));
  ASSERT_OK(log->AppendNow("lost?"));
  BreakDescriptorsOf("dir/log");
  const absl::Status failed = log->SyncNow(SyncMode::kData);
  EXPECT_EQ(OutcomeOf(failed), FileOutcome::kIoError) << failed;
  EXPECT_THAT(failed.message(), HasSubstr("sync dir/log"));
  EXPECT_EQ(log->durable(), 7);
  EXPECT_EQ(log->AppendNow("more").status(), failed);
  EXPECT_EQ(log->SyncNow(SyncMode::kData), failed);
  EXPECT_EQ(FinishFile(*log), failed);
}

TEST_F(PosixFileSystemTest, NamesOnDiskAreWhatThePageOfTheFormatSays) {
  const auto files = Open();
  ASSERT_OK_AND_ASSIGN(const auto lease, AcquireLease(*files, "a", "me"));
  ASSERT_OK(WriteWholeFile(*files, "a/b/c", "bytes", lease->token()));
  ASSERT_OK(CommitMeta(*files, "a/b/m", "meta", {}, lease->token()));
  for (const char* path :
       {"a/b/c", "a/b/.meta/m", "a/.meta/.lock", "a/.meta/.owner"}) {
    EXPECT_TRUE(std::filesystem::is_regular_file(Path(path))) << path;
  }
}

}  // namespace
}  // namespace shale
