// What a crash leaves. The rest of the contract is in the contract tests.
#include "shale/filesystem/memory_file_system.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/check.h"
#include "shale/base/clock.h"
#include "shale/base/random.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/outcome.h"

namespace shale {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

// A machine: its file system, and an executor that the test drives, so that it
// can stop calls half way.
class Machine {
 public:
  explicit Machine(uint64_t seed = 1) : executor_(clock_, seed) { Acquire(); }

  MemoryFileSystem& files() { return files_; }
  const OwnerToken& token() const { return lease_->token(); }
  Lease& lease() { return *lease_; }
  void Run() { executor_.RunUntilIdle(); }

  // Runs one call to its end.
  template <typename Result, typename Call>
  Result Wait(Call call) {
    std::optional<Result> result;
    call([&](Result value) { result = std::move(value); });
    Run();
    SHALE_CHECK(result.has_value());
    return *std::move(result);
  }

  void Acquire() {
    auto lease =
        Wait<absl::StatusOr<std::unique_ptr<Lease>>>([this](auto done) {
          files_.Acquire("dir", "the test", 0, std::move(done));
        });
    SHALE_CHECK_OK(lease);
    lease_ = *std::move(lease);
  }

  std::unique_ptr<AppendFile> Create(absl::string_view name) {
    auto file =
        Wait<absl::StatusOr<std::unique_ptr<AppendFile>>>([&](auto done) {
          files_.Create(name, FileKind::kLog, token(), {}, std::move(done));
        });
    SHALE_CHECK_OK(file);
    return *std::move(file);
  }

  absl::Status Remove(absl::string_view name) {
    return Wait<absl::Status>(
        [&](auto done) { files_.Remove(name, token(), std::move(done)); });
  }

  absl::StatusOr<MetaVersion> Commit(std::string bytes, MetaVersion expected) {
    return Wait<absl::StatusOr<MetaVersion>>([&](auto done) {
      files_.CommitMeta("dir/m", std::move(bytes), expected, token(),
                        std::move(done));
    });
  }

  absl::StatusOr<MetaObject> Meta() {
    return Wait<absl::StatusOr<MetaObject>>(
        [&](auto done) { files_.ReadMeta("dir/m", std::move(done)); });
  }

  // The file's bytes, or nothing if it doesn't exist.
  std::optional<std::string> Read(absl::string_view name) {
    auto file = Wait<absl::StatusOr<std::unique_ptr<ReadFile>>>(
        [&](auto done) { files_.Open(name, {}, std::move(done)); });
    if (absl::IsNotFound(file.status())) return std::nullopt;
    SHALE_CHECK_OK(file);
    auto bytes = (*file)->ReadNow({0, (*file)->size()});
    SHALE_CHECK_OK(bytes);
    return *std::move(bytes);
  }

 private:
  ManualClock clock_;
  DeterministicExecutor executor_;
  MemoryFileSystem files_{executor_};
  std::unique_ptr<Lease> lease_;
};

constexpr size_t kPage = 4096;

// Whether that page of the crashed file is zeros; a page of the test never is.
bool IsLost(absl::string_view bytes, size_t page) {
  const absl::string_view found =
      bytes.substr(std::min(page * kPage, bytes.size()), kPage);
  return std::all_of(found.begin(), found.end(),
                     [](char byte) { return byte == '\0'; });
}

TEST(MemoryCrashTest, SyncedBytesAlwaysSurvive) {
  Random random(TestSeed());
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Machine machine;
    auto file = machine.Create("dir/log");
    std::string all;
    uint64_t synced = 0;
    for (uint64_t i = random.Uniform(10); i > 0; --i) {
      all += std::string(random.Skewed(14), 'a' + i);
      ASSERT_OK(
          file->AppendNow(absl::string_view(all).substr(file->accepted())));
      if (random.OneIn(3)) {
        ASSERT_OK(file->SyncNow(SyncMode::kData));
        synced = all.size();
      }
    }
    const uint64_t durable = file->durable();
    EXPECT_EQ(durable, synced);
    machine.files().Crash(seed);
    const auto left = machine.Read("dir/log");
    if (!left.has_value()) {
      EXPECT_EQ(synced, 0) << "seed " << seed;
      continue;
    }
    EXPECT_GE(left->size(), synced) << "seed " << seed;
    EXPECT_LE(left->size(), all.size()) << "seed " << seed;
    EXPECT_EQ(left->substr(0, synced), all.substr(0, synced));
    for (size_t i = synced; i < left->size(); ++i) {
      ASSERT_TRUE((*left)[i] == all[i] || (*left)[i] == '\0') << i;
    }
  }
}

TEST(MemoryCrashTest, EverySubsetOfUnsyncedPagesCanBeLeft) {
  constexpr size_t kPages = 4;  // The first of them durable.
  std::set<std::vector<bool>> seen;
  std::set<size_t> sizes;
  bool torn = false;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Machine machine;
    auto file = machine.Create("dir/log");
    ASSERT_OK(file->AppendNow(std::string(kPage, 'd')));
    ASSERT_OK(file->SyncNow(SyncMode::kData));
    ASSERT_OK(file->AppendNow(std::string((kPages - 1) * kPage, 'u')));
    machine.files().Crash(seed);
    const auto left = machine.Read("dir/log");
    ASSERT_TRUE(left.has_value());
    std::vector<bool> lost;
    for (size_t page = 0; page < kPages; ++page) {
      lost.push_back(IsLost(*left, page));
      torn |= !lost.back() && left->size() == kPages * kPage &&
              absl::StrContains(left->substr(page * kPage, kPage), '\0');
    }
    EXPECT_FALSE(lost[0]);
    seen.insert(lost);
    sizes.insert(left->size());
  }
  EXPECT_EQ(seen.size(), 1 << (kPages - 1));
  EXPECT_TRUE(torn);
  EXPECT_EQ(*sizes.begin(), kPage);
  EXPECT_EQ(*sizes.rbegin(), kPages * kPage);
  EXPECT_GT(sizes.size(), 100);  // It may end within a page.
}

TEST(MemoryCrashTest, OneSeedLeavesOneState) {
  const auto after_crash = [](uint64_t seed) {
    Machine machine;
    std::vector<std::unique_ptr<AppendFile>> files;
    std::string state;
    for (int i = 0; i < 5; ++i) {
      files.push_back(machine.Create(absl::StrCat("dir/", i)));
      SHALE_CHECK_OK(files.back()->AppendNow(std::string(5000, 'a' + i)));
    }
    machine.files().Crash(seed);
    for (int i = 0; i < 5; ++i) {
      absl::StrAppend(&state, i, ":",
                      machine.Read(absl::StrCat("dir/", i)).value_or("none"));
    }
    return state;
  };
  std::set<std::string> states;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const std::string state = after_crash(seed);
    EXPECT_EQ(after_crash(seed), state);
    states.insert(state);
  }
  EXPECT_GT(states.size(), 10);
}

TEST(MemoryCrashTest, AnUnsyncedNameMayVanishAndASyncedOneMayNot) {
  std::set<bool> unsynced;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Machine machine;
    auto one = machine.Create("dir/unsynced");
    auto two = machine.Create("dir/synced");
    ASSERT_OK(two->SyncNow(SyncMode::kData));
    machine.files().Crash(seed);
    unsynced.insert(machine.Read("dir/unsynced").has_value());
    EXPECT_TRUE(machine.Read("dir/synced").has_value());
  }
  EXPECT_THAT(unsynced, ElementsAre(false, true));
}

TEST(MemoryCrashTest, ARemoveUnderWayMayComeBackAndADoneOneMayNot) {
  std::set<bool> under_way;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Machine machine;
    for (const char* name : {"dir/a", "dir/b"}) {
      ASSERT_OK(machine.Create(name)->SyncNow(SyncMode::kData));
    }
    EXPECT_OK(machine.Remove("dir/a"));
    absl::Status result;
    machine.files().Remove("dir/b", machine.token(),
                           [&](absl::Status status) { result = status; });
    machine.files().Crash(seed);
    machine.Run();
    EXPECT_EQ(OutcomeOf(result), FileOutcome::kFenced);
    EXPECT_FALSE(machine.Read("dir/a").has_value());
    under_way.insert(machine.Read("dir/b").has_value());
  }
  EXPECT_THAT(under_way, ElementsAre(false, true));
}

TEST(MemoryCrashTest, ACommitUnderWayLeavesTheOldOrTheNew) {
  std::set<std::string> left;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Machine machine;
    ASSERT_OK_AND_ASSIGN(const MetaVersion version, machine.Commit("old", {}));
    machine.files().CommitMeta("dir/m", "new", version, machine.token(),
                               [](absl::StatusOr<MetaVersion> committed) {
                                 EXPECT_FALSE(committed.ok());
                               });
    machine.files().Crash(seed);
    machine.Run();
    ASSERT_OK_AND_ASSIGN(const MetaObject meta, machine.Meta());
    left.insert(meta.bytes);
  }
  EXPECT_THAT(left, UnorderedElementsAre("old", "new"));
}

TEST(MemoryCrashTest, WhatIsDoneStaysDone) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Machine machine;
    ASSERT_OK_AND_ASSIGN(const MetaVersion one, machine.Commit("one", {}));
    ASSERT_OK_AND_ASSIGN(const MetaVersion two, machine.Commit("two", one));
    auto file = machine.Create("dir/log");
    ASSERT_OK(file->AppendNow("bytes"));
    EXPECT_OK(machine.Wait<absl::Status>(
        [&](auto done) { file->Finish(std::move(done)); }));
    EXPECT_OK(machine.Wait<absl::Status>([&](auto done) {
      machine.files().Clone("dir/log", "dir/copy", machine.token(),
                            std::move(done));
    }));
    machine.files().Crash(seed);
    ASSERT_OK_AND_ASSIGN(const MetaObject meta, machine.Meta());
    EXPECT_EQ(meta.bytes, "two");
    EXPECT_EQ(meta.version, two);
    EXPECT_EQ(machine.Read("dir/log"), "bytes");
    EXPECT_EQ(machine.Read("dir/copy"), "bytes");
  }
}

TEST(MemoryCrashTest, SealMakesTheSealedLengthDurable) {
  Machine machine;
  auto file = machine.Create("dir/log");
  ASSERT_OK(file->AppendNow("unsynced"));
  EXPECT_THAT(machine.Wait<absl::StatusOr<uint64_t>>([&](auto done) {
    machine.files().Seal("dir/log", machine.token(), std::move(done));
  }),
              IsOkAndHolds(8));
  for (uint64_t seed = 0; seed < 20; ++seed) {
    machine.files().Crash(seed);
    EXPECT_EQ(machine.Read("dir/log"), "unsynced");
  }
}

TEST(MemoryCrashTest, HandlesOfBeforeAreDead) {
  Machine machine;
  auto writer = machine.Create("dir/log");
  ASSERT_OK(writer->AppendNow("bytes"));
  ASSERT_OK(writer->SyncNow(SyncMode::kData));
  auto reader = machine.Wait<absl::StatusOr<std::unique_ptr<ReadFile>>>(
      [&](auto done) { machine.files().Open("dir/log", {}, std::move(done)); });
  ASSERT_OK(reader);
  const OwnerToken token = machine.token();
  std::vector<FileOutcome> under_way;
  writer->Append("late", [&](absl::StatusOr<uint64_t> size) {
    under_way.push_back(OutcomeOf(size.status()));
  });
  writer->Sync(SyncMode::kData, [&](absl::Status status) {
    under_way.push_back(OutcomeOf(status));
  });
  machine.files().Crash(1);
  machine.Run();
  EXPECT_THAT(under_way,
              ElementsAre(FileOutcome::kFenced, FileOutcome::kFenced));
  EXPECT_FALSE(machine.lease().held());
  EXPECT_EQ(OutcomeOf(writer->AppendNow("x").status()), FileOutcome::kFenced);
  EXPECT_EQ(OutcomeOf(writer->SyncNow(SyncMode::kData)), FileOutcome::kFenced);
  EXPECT_EQ(OutcomeOf((*reader)->ReadNow({0, 1}).status()),
            FileOutcome::kFenced);
  EXPECT_EQ(OutcomeOf(machine.Remove("dir/log")), FileOutcome::kFenced);
  machine.Acquire();
  EXPECT_GT(machine.token().epoch, token.epoch);
  EXPECT_EQ(machine.Read("dir/log"), "bytes");
}

TEST(MemoryCrashTest, NamesOfOneFileStaySo) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Machine machine;
    auto file = machine.Create("dir/a");
    EXPECT_OK(machine.Wait<absl::Status>(
        [&](auto done) { file->Finish(std::move(done)); }));
    machine.files().Clone("dir/a", "dir/b", machine.token(),
                          [](absl::Status) {});
    machine.files().Crash(seed);
    machine.Run();
    machine.Acquire();
    EXPECT_TRUE(machine.Read("dir/a").has_value());
    EXPECT_OK(machine.Remove("dir/a"));
  }
}

TEST(MemoryCrashTest, ReadersOfBeforeKeepNobodyOut) {
  Machine machine;
  machine.files().ExpireLease("dir");
  const auto reader = machine.Wait<absl::StatusOr<std::unique_ptr<Lease>>>(
      [&](auto done) { machine.files().Share("dir", std::move(done)); });
  ASSERT_OK(reader);
  machine.files().Crash(1);
  machine.Acquire();
}

TEST(MemoryFileSystemTest, AnExpiredLeaseFencesItsOwner) {
  Machine machine;
  auto writer = machine.Create("dir/log");
  machine.files().ExpireLease("dir");
  machine.files().ExpireLease("nobody's");
  EXPECT_FALSE(machine.lease().held());
  EXPECT_EQ(OutcomeOf(writer->AppendNow("x").status()), FileOutcome::kFenced);
  EXPECT_EQ(OutcomeOf(machine.Remove("dir/log")), FileOutcome::kFenced);
  machine.Acquire();
  EXPECT_TRUE(machine.lease().held());
}

class FullFileSystemTest : public testing::Test {
 protected:
  FullFileSystemTest() { files_.SetCapacity(1000); }

  absl::StatusOr<std::unique_ptr<AppendFile>> Create(
      absl::string_view name, const CreateOptions& options = {}) {
    return CreateFile(files_, name, FileKind::kData, lease_->token(), options);
  }
  absl::Status Append(AppendFile& file, size_t bytes) {
    return file.AppendNow(std::string(bytes, 'x')).status();
  }

  ThreadPoolExecutor executor_{1, RealClock()};
  MemoryFileSystem files_{executor_};
  std::unique_ptr<Lease> lease_ = *AcquireLease(files_, "dir", "the test");
};

TEST_F(FullFileSystemTest, NothingIsAddedUntilThereIsRoomAgain) {
  ASSERT_OK_AND_ASSIGN(const auto a, Create("dir/a"));
  ASSERT_OK(Append(*a, 900));
  ASSERT_OK_AND_ASSIGN(auto b, Create("dir/b"));
  EXPECT_EQ(OutcomeOf(Append(*b, 101)), FileOutcome::kNoSpace);
  const auto commit = [this] {
    return CommitMeta(files_, "dir/m", std::string(101, 'x'), {},
                      lease_->token())
        .status();
  };
  EXPECT_EQ(OutcomeOf(commit()), FileOutcome::kNoSpace);
  EXPECT_EQ(files_.used_bytes(), 900);
  b.reset();
  ASSERT_OK(RemoveFile(files_, "dir/b", lease_->token()));
  ASSERT_OK_AND_ASSIGN(auto c, Create("dir/c"));
  EXPECT_OK(Append(*c, 100));
  c.reset();
  ASSERT_OK(RemoveFile(files_, "dir/c", lease_->token()));
  EXPECT_EQ(files_.used_bytes(), 900);
  files_.SetCapacity(1001);
  EXPECT_OK(commit());
}

TEST_F(FullFileSystemTest, SpaceSetAsideIsForItsFileAlone) {
  ASSERT_OK_AND_ASSIGN(
      auto a, Create("dir/a", {.expected_bytes = 600, .must_reserve = true}));
  EXPECT_EQ(
      OutcomeOf(Create("dir/b", {.expected_bytes = 600, .must_reserve = true})
                    .status()),
      FileOutcome::kNoSpace);
  ASSERT_OK_AND_ASSIGN(const auto b, Create("dir/b", {.expected_bytes = 600}));
  EXPECT_OK(Append(*b, 400));
  EXPECT_EQ(files_.used_bytes(), 1000);
  ASSERT_OK(Append(*a, 500));
  ASSERT_OK(FinishFile(*a));
  EXPECT_EQ(files_.used_bytes(), 900);
}

TEST_F(FullFileSystemTest, SpaceSetAsideSurvivesACrashWithItsFile) {
  {
    ASSERT_OK_AND_ASSIGN(const auto a, Create("dir/a", {.expected_bytes = 600,
                                                        .must_reserve = true}));
    ASSERT_OK(a->SyncNow(SyncMode::kFull));
  }
  files_.Crash(1);
  EXPECT_EQ(files_.used_bytes(), 600);
  lease_ = *AcquireLease(files_, "dir", "the test");
  ASSERT_OK(RemoveFile(files_, "dir/a", lease_->token()));
  EXPECT_EQ(files_.used_bytes(), 0);
}

}  // namespace
}  // namespace shale
