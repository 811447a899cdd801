// What every FileSystem does with names, metadata objects and leases.
#include <atomic>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/completion.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/file_system_variants.h"
#include "shale/filesystem/outcome.h"

namespace shale {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class FileSystemContractTest
    : public testing::TestWithParam<FileSystemVariantFactory> {
 protected:
  FileSystemContractTest() : variant_(GetParam().make(executor_)) {
    lease_ = Acquire("dir");
  }

  std::unique_ptr<Lease> Acquire(absl::string_view directory) {
    auto lease = AcquireLease(files(), directory, "the test");
    EXPECT_OK(lease);
    return *std::move(lease);
  }

  absl::Status Write(absl::string_view name, absl::string_view bytes) {
    return WriteWholeFile(files(), name, bytes, lease_->token());
  }

  std::vector<std::string> Names(absl::string_view prefix) {
    const auto entries = ListFiles(files(), prefix);
    EXPECT_OK(entries);
    std::vector<std::string> names;
    for (const FileListing::Entry& entry : *entries) {
      names.push_back(entry.name);
    }
    return names;
  }

  FileSystem& files() { return variant_->files(); }
  const OwnerToken& token() { return lease_->token(); }

  ThreadPoolExecutor executor_{4, RealClock()};
  std::unique_ptr<FileSystemVariant> variant_;
  std::unique_ptr<Lease> lease_;
};

TEST_P(FileSystemContractTest, CreateIsExclusive) {
  ASSERT_OK_AND_ASSIGN(auto file,
                       CreateFile(files(), "dir/a", FileKind::kData, token()));
  EXPECT_THAT(CreateFile(files(), "dir/a", FileKind::kData, token()),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("dir/a")));
  ASSERT_OK(FinishFile(*file));
  EXPECT_THAT(Write("dir/a", "again"),
              StatusIs(absl::StatusCode::kAlreadyExists));
  EXPECT_THAT(ReadWholeFile(files(), "dir/a"), IsOkAndHolds(""));
}

TEST_P(FileSystemContractTest, OneOfManyCreatorsWins) {
  for (int round = 0; round < 10; ++round) {
    const std::string name = absl::StrCat("dir/new/", round);
    std::atomic<int> winners = 0;  // Read after the threads have joined.
    std::vector<std::thread> creators;
    for (int i = 0; i < 4; ++i) {
      creators.emplace_back([&] {
        const absl::Status created = Write(name, "x");
        if (created.ok()) {
          winners.fetch_add(1, std::memory_order_relaxed);
        } else {
          EXPECT_EQ(OutcomeOf(created), FileOutcome::kExists) << created;
        }
      });
    }
    for (std::thread& creator : creators) creator.join();
    EXPECT_EQ(winners.load(), 1);
  }
}

TEST_P(FileSystemContractTest, AbsentFileIsNotFound) {
  EXPECT_THAT(OpenFile(files(), "dir/none"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("dir/none")));
  EXPECT_THAT(OpenFile(files(), "nowhere/none"),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(SealFile(files(), "dir/none", token()),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(ReadMeta(files(), "dir/none"),
              StatusIs(absl::StatusCode::kNotFound));
}

TEST_P(FileSystemContractTest, RemoveIsIdempotent) {
  ASSERT_OK(Write("dir/a", "x"));
  EXPECT_OK(RemoveFile(files(), "dir/a", token()));
  EXPECT_OK(RemoveFile(files(), "dir/a", token()));
  EXPECT_OK(RemoveFile(files(), "dir/none/never", token()));
  EXPECT_THAT(OpenFile(files(), "dir/a"),
              StatusIs(absl::StatusCode::kNotFound));
}

TEST_P(FileSystemContractTest, LongAndNestedNamesAreFine) {
  const std::vector<std::string> names = {
      "dir/" + std::string(255, 'n'),
      "dir/" + std::string(255, 'd') + "/" + std::string(255, 'f'),
      "dir/a/b/c/d/e/f",
      "dir/with space",
      "dir/\xff\x01\n*?\\",
      "dir/trailing.",
      "dir/ends.tmp",
  };
  for (const std::string& name : names) {
    EXPECT_OK(Write(name, name));
    EXPECT_THAT(ReadWholeFile(files(), name), IsOkAndHolds(name));
    const std::string meta = name + "-meta";
    if (meta.size() < 250) {
      EXPECT_OK(CommitMeta(files(), meta, name, {}, token()));
    }
  }
  EXPECT_OK(
      CommitMeta(files(), "dir/" + std::string(255, 'm'), "m", {}, token()));
  EXPECT_THAT(Names(""), testing::UnorderedElementsAreArray(names));
}

TEST_P(FileSystemContractTest, BadNamesAreRefused) {
  const std::vector<std::string> names = {"",
                                          "/",
                                          "/dir/a",
                                          "dir/",
                                          "dir//a",
                                          ".",
                                          "..",
                                          "dir/.",
                                          "dir/..",
                                          "dir/../dir/a",
                                          "dir/.hidden/a",
                                          "dir/" + std::string(256, 'n'),
                                          std::string("dir/a\0b", 7)};
  const auto is_invalid = StatusIs(absl::StatusCode::kInvalidArgument);
  for (const std::string& name : names) {
    EXPECT_THAT(CreateFile(files(), name, FileKind::kData, token()), is_invalid)
        << name;
    EXPECT_THAT(OpenFile(files(), name), is_invalid) << name;
    EXPECT_THAT(RemoveFile(files(), name, token()), is_invalid) << name;
    EXPECT_THAT(CloneFile(files(), name, "dir/b", token()), is_invalid);
    EXPECT_THAT(CloneFile(files(), "dir/a", name, token()), is_invalid);
    EXPECT_THAT(ReadMeta(files(), name), is_invalid) << name;
    EXPECT_THAT(CommitMeta(files(), name, "", {}, token()), is_invalid);
    EXPECT_THAT(SealFile(files(), name, token()), is_invalid) << name;
    if (!name.empty()) {
      EXPECT_THAT(AcquireLease(files(), name, "x"), is_invalid) << name;
    }
  }
  EXPECT_THAT(Names(""), IsEmpty());
}

TEST_P(FileSystemContractTest, ATokenCoversItsDirectoryOnly) {
  const auto is_invalid = StatusIs(absl::StatusCode::kInvalidArgument);
  for (const char* name : {"other/a", "dirt/a", "dir", "a"}) {
    EXPECT_THAT(Write(name, "x"), is_invalid) << name;
    EXPECT_THAT(RemoveFile(files(), name, token()), is_invalid) << name;
    EXPECT_THAT(CommitMeta(files(), name, "", {}, token()), is_invalid) << name;
    EXPECT_THAT(SealFile(files(), name, token()), is_invalid) << name;
  }
  ASSERT_OK(Write("dir/a", "x"));
  EXPECT_THAT(CloneFile(files(), "dir/a", "other/a", token()), is_invalid);
}

TEST_P(FileSystemContractTest, TheRootCanBeOwned) {
  const auto root = Acquire("");
  EXPECT_OK(WriteWholeFile(files(), "a", "x", root->token()));
  EXPECT_OK(CommitMeta(files(), "m", "y", {}, root->token()));
  EXPECT_THAT(ReadWholeFile(files(), "a"), IsOkAndHolds("x"));
  EXPECT_THAT(AcquireLease(files(), "", "another"),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_P(FileSystemContractTest, CloneIsASecondNameForTheSameBytes) {
  ASSERT_OK(Write("dir/a", "bytes"));
  EXPECT_OK(CloneFile(files(), "dir/a", "dir/deep/b", token()));
  EXPECT_OK(RemoveFile(files(), "dir/a", token()));
  EXPECT_THAT(ReadWholeFile(files(), "dir/deep/b"), IsOkAndHolds("bytes"));
}

TEST_P(FileSystemContractTest, CloneRefusesWhatItCannotDo) {
  ASSERT_OK_AND_ASSIGN(const auto log,
                       CreateFile(files(), "dir/log", FileKind::kLog, token()));
  EXPECT_THAT(CloneFile(files(), "dir/log", "dir/copy", token()),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("not finished")));
  ASSERT_OK(Write("dir/a", "a"));
  ASSERT_OK(Write("dir/b", "b"));
  EXPECT_THAT(CloneFile(files(), "dir/a", "dir/b", token()),
              StatusIs(absl::StatusCode::kAlreadyExists));
  EXPECT_THAT(CloneFile(files(), "dir/none", "dir/c", token()),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_OK(SealFile(files(), "dir/log", token()));
  EXPECT_OK(CloneFile(files(), "dir/log", "dir/copy", token()));
}

TEST_P(FileSystemContractTest, ListGivesEveryFileOfAPrefix) {
  ASSERT_OK(Write("dir/x/1", "a"));
  ASSERT_OK(Write("dir/x/2", "bb"));
  ASSERT_OK(Write("dir/xy", "ccc"));
  ASSERT_OK(Write("dir/y/deep/1", ""));
  ASSERT_OK(CommitMeta(files(), "dir/x/meta", "m", {}, token()));
  EXPECT_THAT(Names("dir/x"),
              UnorderedElementsAre("dir/x/1", "dir/x/2", "dir/xy"));
  EXPECT_THAT(Names("dir/x/"), UnorderedElementsAre("dir/x/1", "dir/x/2"));
  EXPECT_THAT(Names("dir/y/d"), ElementsAre("dir/y/deep/1"));
  EXPECT_THAT(Names("d").size(), 4);
  EXPECT_THAT(Names("").size(), 4);
  EXPECT_THAT(Names("nowhere/"), IsEmpty());
  ASSERT_OK_AND_ASSIGN(const auto entries, ListFiles(files(), "dir/x/2"));
  ASSERT_EQ(entries.size(), 1);
  EXPECT_EQ(entries[0].size, 2);
}

TEST_P(FileSystemContractTest, LongListingsComeInPages) {
  std::vector<std::string> names;
  for (int i = 0; i < 1100; ++i) {
    names.push_back(absl::StrCat("dir/", i % 3, "/", i));
    ASSERT_OK(CreateFile(files(), names.back(), FileKind::kData, token()));
  }
  Waiter<absl::StatusOr<FileListing>> first;
  files().List("dir/", "", first.callback());
  ASSERT_OK_AND_ASSIGN(const FileListing page, first.Wait());
  EXPECT_FALSE(page.cursor.empty());
  EXPECT_LT(page.entries.size(), names.size());
  EXPECT_THAT(Names("dir/"), testing::UnorderedElementsAreArray(names));
}

TEST_P(FileSystemContractTest, MetadataIsReplacedAsAWhole) {
  ASSERT_OK_AND_ASSIGN(const MetaVersion first,
                       CommitMeta(files(), "dir/m", "one", {}, token()));
  EXPECT_NE(first, MetaVersion{});
  ASSERT_OK_AND_ASSIGN(const MetaObject one, ReadMeta(files(), "dir/m"));
  EXPECT_EQ(one.bytes, "one");
  EXPECT_EQ(one.version, first);
  ASSERT_OK_AND_ASSIGN(const MetaVersion second,
                       CommitMeta(files(), "dir/m", "", first, token()));
  EXPECT_NE(second, first);
  ASSERT_OK_AND_ASSIGN(const MetaObject two, ReadMeta(files(), "dir/m"));
  EXPECT_EQ(two.bytes, "");
  EXPECT_EQ(two.version, second);
}

TEST_P(FileSystemContractTest, CommitAtAnotherVersionIsAConflict) {
  const auto conflicts =
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("version"));
  EXPECT_THAT(CommitMeta(files(), "dir/m", "x", MetaVersion{7}, token()),
              conflicts);
  ASSERT_OK_AND_ASSIGN(const MetaVersion version,
                       CommitMeta(files(), "dir/m", "one", {}, token()));
  EXPECT_THAT(CommitMeta(files(), "dir/m", "x", {}, token()), conflicts);
  EXPECT_THAT(CommitMeta(files(), "dir/m", "x", {version.value + 1}, token()),
              conflicts);
  ASSERT_OK_AND_ASSIGN(const MetaObject meta, ReadMeta(files(), "dir/m"));
  EXPECT_EQ(meta.bytes, "one");
}

TEST_P(FileSystemContractTest, OneOfManyCommitsWinsEachRound) {
  constexpr int kRounds = 20;
  constexpr int kWriters = 4;
  MetaVersion version;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<absl::StatusOr<MetaVersion>> results(
        kWriters, absl::InternalError("not run"));
    std::vector<std::thread> writers;
    for (int i = 0; i < kWriters; ++i) {
      writers.emplace_back([&, i] {
        results[i] = CommitMeta(files(), "dir/m", absl::StrCat("by ", i),
                                version, token());
      });
    }
    for (std::thread& writer : writers) writer.join();
    int winner = -1;
    for (int i = 0; i < kWriters; ++i) {
      if (results[i].ok()) {
        EXPECT_EQ(winner, -1) << "round " << round;
        winner = i;
      } else {
        EXPECT_EQ(OutcomeOf(results[i].status()), FileOutcome::kConflict)
            << results[i].status();
      }
    }
    ASSERT_GE(winner, 0) << "round " << round;
    ASSERT_OK_AND_ASSIGN(const MetaObject meta, ReadMeta(files(), "dir/m"));
    EXPECT_EQ(meta.bytes, absl::StrCat("by ", winner));
    version = *results[winner];
    EXPECT_EQ(meta.version, version);
  }
}

TEST_P(FileSystemContractTest, LargestMetadataFitsAndALargerIsRefused) {
  const std::string largest(kMaxMetaBytes, 'm');
  ASSERT_OK_AND_ASSIGN(const MetaVersion version,
                       CommitMeta(files(), "dir/m", largest, {}, token()));
  EXPECT_THAT(CommitMeta(files(), "dir/m", largest + "m", version, token()),
              StatusIs(absl::StatusCode::kInvalidArgument));
  ASSERT_OK_AND_ASSIGN(const MetaObject meta, ReadMeta(files(), "dir/m"));
  EXPECT_EQ(meta.bytes, largest);
}

TEST_P(FileSystemContractTest, MetadataCanBeRemoved) {
  ASSERT_OK(CommitMeta(files(), "dir/m", "x", {}, token()));
  EXPECT_OK(RemoveFile(files(), "dir/m", token()));
  EXPECT_THAT(ReadMeta(files(), "dir/m"),
              StatusIs(absl::StatusCode::kNotFound));
}

TEST_P(FileSystemContractTest, ALiveOwnerIsNamed) {
  EXPECT_THAT(
      AcquireLease(files(), "dir", "another"),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("dir"), HasSubstr("owned by the test"))));
  EXPECT_TRUE(lease_->held());
  EXPECT_EQ(token().directory, "dir");
  EXPECT_THAT(token().owner, HasSubstr("the test"));
}

TEST_P(FileSystemContractTest, AReaderIsToldWhoOwnsTheDirectory) {
  EXPECT_THAT(
      ShareLease(files(), "dir"),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               AllOf(HasSubstr("dir"), HasSubstr("owned by the test"))));
}

TEST_P(FileSystemContractTest, ReadersShareADirectoryAndKeepOwnersOut) {
  lease_.reset();
  ASSERT_OK_AND_ASSIGN(auto first, ShareLease(files(), "dir"));
  ASSERT_OK_AND_ASSIGN(auto second, ShareLease(files(), "dir"));
  EXPECT_EQ(first->token().epoch, 0);
  first.reset();
  EXPECT_THAT(
      AcquireLease(files(), "dir", "an owner"),
      StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("reading it")));
  EXPECT_THAT(CommitMeta(files(), "dir/m", "x", {}, second->token()),
              StatusIs(absl::StatusCode::kAborted));
  second.reset();
  lease_ = Acquire("dir");
}

TEST_P(FileSystemContractTest, ADirectoryThatNobodyOwnedCanBeShared) {
  EXPECT_OK(ShareLease(files(), "nobodys"));
}

TEST_P(FileSystemContractTest, EveryOwnerHasALargerEpoch) {
  uint64_t last = token().epoch;
  EXPECT_GT(last, 0);
  for (int i = 0; i < 5; ++i) {
    lease_.reset();
    lease_ = Acquire("dir");
    EXPECT_GT(token().epoch, last);
    last = token().epoch;
  }
}

TEST_P(FileSystemContractTest, AnEpochIsAboveWhatTheCallerKnowsOf) {
  const uint64_t above = token().epoch + 1000;
  lease_.reset();
  ASSERT_OK_AND_ASSIGN(lease_, AcquireLease(files(), "dir", "me", above));
  EXPECT_EQ(token().epoch, above + 1);
  EXPECT_OK(Write("dir/a", "x"));
  // From there on they count.
  lease_ = nullptr;
  lease_ = Acquire("dir");
  EXPECT_EQ(token().epoch, above + 2);
  lease_.reset();
  EXPECT_THAT(
      AcquireLease(files(), "dir", "me", std::numeric_limits<uint64_t>::max()),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("no epoch is larger")));
  lease_ = Acquire("dir");
}

TEST_P(FileSystemContractTest, OneOfManyAcquirersWins) {
  lease_.reset();
  for (int round = 0; round < 10; ++round) {
    std::vector<absl::StatusOr<std::unique_ptr<Lease>>> results(4);
    std::vector<std::thread> acquirers;
    for (auto& result : results) {
      acquirers.emplace_back(
          [&] { result = AcquireLease(files(), "dir", "a racer"); });
    }
    for (std::thread& acquirer : acquirers) acquirer.join();
    int winners = 0;
    for (const auto& result : results) {
      if (result.ok()) {
        ++winners;
      } else {
        EXPECT_THAT(result, StatusIs(absl::StatusCode::kFailedPrecondition));
      }
    }
    EXPECT_EQ(winners, 1);
  }
}

TEST_P(FileSystemContractTest, AFencedTokenChangesNothing) {
  ASSERT_OK(Write("dir/a", "x"));
  ASSERT_OK(CommitMeta(files(), "dir/m", "x", {}, token()));
  const OwnerToken old = token();
  const auto is_fenced = StatusIs(absl::StatusCode::kAborted);
  for (const bool reacquired : {false, true}) {
    lease_.reset();
    if (reacquired) lease_ = Acquire("dir");
    EXPECT_THAT(CreateFile(files(), "dir/b", FileKind::kData, old), is_fenced);
    EXPECT_THAT(RemoveFile(files(), "dir/a", old), is_fenced);
    EXPECT_THAT(CloneFile(files(), "dir/a", "dir/c", old), is_fenced);
    EXPECT_THAT(CommitMeta(files(), "dir/m", "y", {1}, old), is_fenced);
    EXPECT_THAT(SealFile(files(), "dir/a", old), is_fenced);
  }
  EXPECT_THAT(Names("dir/"), ElementsAre("dir/a"));
  ASSERT_OK_AND_ASSIGN(const MetaObject meta, ReadMeta(files(), "dir/m"));
  EXPECT_EQ(meta.bytes, "x");
}

TEST_P(FileSystemContractTest, ATokenNeverGivenIsFenced) {
  EXPECT_THAT(CreateFile(files(), "dir/a", FileKind::kData, {"dir", 0, "me"}),
              StatusIs(absl::StatusCode::kAborted));
  EXPECT_THAT(CreateFile(files(), "dir/a", FileKind::kData, {"dir", 99, "me"}),
              StatusIs(absl::StatusCode::kAborted));
}

TEST_P(FileSystemContractTest, CallbacksComeOnAnotherThread) {
  const std::thread::id me = std::this_thread::get_id();
  const auto elsewhere = [me](absl::Notification& done) {
    EXPECT_NE(std::this_thread::get_id(), me);
    done.Notify();
  };
  absl::Notification done[5];
  files().Create("", FileKind::kLog, token(), {},
                 [&](auto) { elsewhere(done[0]); });
  files().Open("dir/none", {}, [&](auto) { elsewhere(done[1]); });
  files().Remove("dir/none", token(), [&](auto) { elsewhere(done[2]); });
  files().ReadMeta("dir/none", [&](auto) { elsewhere(done[3]); });
  files().List("", "", [&](auto) { elsewhere(done[4]); });
  for (absl::Notification& one : done) one.WaitForNotification();
}

TEST_P(FileSystemContractTest, CapabilitiesAreUsable) {
  const FileSystemCapabilities capabilities = files().capabilities();
  EXPECT_GE(capabilities.max_file_bytes, 64 << 20);
  EXPECT_GT(capabilities.preferred_append_bytes, 0);
  EXPECT_GT(capabilities.preferred_read_bytes, 0);
}

INSTANTIATE_TEST_SUITE_P(Variants, FileSystemContractTest,
                         testing::ValuesIn(AllFileSystemVariants()),
                         VariantName);

}  // namespace
}  // namespace shale
