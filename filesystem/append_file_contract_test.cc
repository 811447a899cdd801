// What every AppendFile and ReadFile does, whatever is behind it.
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/completion.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/file_system_variants.h"
#include "shale/filesystem/outcome.h"
#include "shale/filesystem/testing/fault_plan.h"
#include "shale/filesystem/testing/faulty_file_system.h"

namespace shale {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class AppendFileContractTest
    : public testing::TestWithParam<FileSystemVariantFactory> {
 protected:
  AppendFileContractTest() : variant_(GetParam().make(executor_)) {
    lease_ = Acquire();
  }

  std::unique_ptr<Lease> Acquire() {
    auto lease = AcquireLease(files(), "dir", "the test");
    EXPECT_OK(lease);
    return *std::move(lease);
  }

  std::unique_ptr<AppendFile> Create(absl::string_view name) {
    auto file = CreateFile(files(), name, FileKind::kLog, lease_->token());
    EXPECT_OK(file);
    return *std::move(file);
  }

  FileSystem& files() { return variant_->files(); }

  ThreadPoolExecutor executor_{4, RealClock()};
  std::unique_ptr<FileSystemVariant> variant_;
  std::unique_ptr<Lease> lease_;
};

TEST_P(AppendFileContractTest, BytesAreInTheOrderOfTheCalls) {
  const auto file = Create("dir/log");
  std::vector<std::string> parts;
  std::string all;
  for (int i = 0; i < 100; ++i) {
    parts.push_back(absl::StrCat("part ", i, ";"));
    all += parts.back();
  }
  std::vector<uint64_t> sizes;  // Callbacks come one at a time.
  for (const std::string& part : parts) {
    file->Append(part, [&](absl::StatusOr<uint64_t> size) {
      EXPECT_OK(size);
      sizes.push_back(*size);
    });
  }
  EXPECT_OK(FinishFile(*file));
  uint64_t sum = 0;
  ASSERT_EQ(sizes.size(), parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    sum += parts[i].size();
    EXPECT_EQ(sizes[i], sum);
  }
  EXPECT_THAT(ReadWholeFile(files(), "dir/log"), IsOkAndHolds(all));
}

TEST_P(AppendFileContractTest, CallbacksComeInTheOrderOfTheCalls) {
  const auto file = Create("dir/log");
  Random random(TestSeed());
  std::vector<int> order;
  constexpr int kCalls = 200;
  for (int i = 0; i < kCalls; ++i) {
    if (random.OneIn(3)) {
      file->Sync(SyncMode::kData, [&order, i](absl::Status status) {
        EXPECT_OK(status);
        order.push_back(i);
      });
    } else {
      file->Append("x", [&order, i](absl::StatusOr<uint64_t> size) {
        EXPECT_OK(size);
        order.push_back(i);
      });
    }
  }
  EXPECT_OK(FinishFile(*file));
  ASSERT_EQ(order.size(), kCalls);
  for (int i = 0; i < kCalls; ++i) EXPECT_EQ(order[i], i);
}

TEST_P(AppendFileContractTest, CallbacksComeOnAnotherThread) {
  const auto file = Create("dir/log");
  const std::thread::id me = std::this_thread::get_id();
  absl::BlockingCounter left(3);
  file->Append("x", [&](absl::StatusOr<uint64_t>) {
    EXPECT_NE(std::this_thread::get_id(), me);
    left.DecrementCount();
  });
  file->Sync(SyncMode::kFull, [&](absl::Status) {
    EXPECT_NE(std::this_thread::get_id(), me);
    left.DecrementCount();
  });
  EXPECT_OK(file->AppendNow("y"));
  file->Finish([&](absl::Status) {
    EXPECT_NE(std::this_thread::get_id(), me);
    left.DecrementCount();
  });
  left.Wait();
}

TEST_P(AppendFileContractTest, SyncCoversWhatWasAppendedBefore) {
  const auto file = Create("dir/log");
  EXPECT_EQ(file->durable(), 0);
  for (int i = 1; i <= 20; ++i) {
    file->Append("0123456789", [](absl::StatusOr<uint64_t>) {});
    Waiter<absl::Status> synced;
    file->Sync(SyncMode::kData, synced.callback());
    EXPECT_OK(synced.Wait());
    EXPECT_EQ(file->accepted(), i * 10);
    EXPECT_EQ(file->durable(), i * 10);
  }
}

TEST_P(AppendFileContractTest, AppendNowComesAfterAppendsUnderWay) {
  const auto file = Create("dir/log");
  std::string all;
  for (int i = 0; i < 50; ++i) {
    file->Append("async ", [](absl::StatusOr<uint64_t>) {});
    all += "async now ";
    EXPECT_THAT(file->AppendNow("now "), IsOkAndHolds(all.size()));
    EXPECT_OK(file->SyncNow(SyncMode::kData));
    EXPECT_EQ(file->durable(), all.size());
  }
  EXPECT_THAT(ReadWholeFile(files(), "dir/log"), IsOkAndHolds(all));
}

TEST_P(AppendFileContractTest, SeveralThreadsSyncWhileOneAppends) {
  const auto file = Create("dir/log");
  std::atomic<bool> stop = false;  // Orders nothing else.
  std::vector<std::thread> syncers;
  for (int i = 0; i < 4; ++i) {
    syncers.emplace_back([&] {
      while (!stop.load(std::memory_order_relaxed)) {
        const uint64_t before = file->accepted();
        EXPECT_OK(file->SyncNow(SyncMode::kData));
        EXPECT_GE(file->durable(), before);
      }
    });
  }
  for (int i = 0; i < 100; ++i) EXPECT_OK(file->AppendNow("0123456789"));
  stop.store(true, std::memory_order_relaxed);
  for (std::thread& syncer : syncers) syncer.join();
  EXPECT_OK(file->SyncNow(SyncMode::kFull));
  EXPECT_EQ(file->durable(), 1000);
}

TEST_P(AppendFileContractTest, EmptyAppendsAndFilesAreFine) {
  const auto file = Create("dir/empty");
  EXPECT_THAT(file->AppendNow(""), IsOkAndHolds(0));
  EXPECT_OK(file->SyncNow(SyncMode::kData));
  EXPECT_OK(FinishFile(*file));
  EXPECT_THAT(ReadWholeFile(files(), "dir/empty"), IsOkAndHolds(""));
}

TEST_P(AppendFileContractTest, AppendsOfAnySizeAreWhole) {
  const size_t preferred = files().capabilities().preferred_append_bytes;
  ASSERT_GT(preferred, 1u);
  const auto file = Create("dir/log");
  Random random(TestSeed());
  std::string all;
  for (const size_t bytes : {preferred - 1, preferred, preferred + 1,
                             2 * preferred + 1, size_t{1}}) {
    const std::string part = random.Bytes(bytes);
    all += part;
    EXPECT_THAT(file->AppendNow(part), IsOkAndHolds(all.size()));
    EXPECT_OK(file->SyncNow(SyncMode::kData));
  }
  EXPECT_OK(FinishFile(*file));
  EXPECT_THAT(ReadWholeFile(files(), "dir/log"), IsOkAndHolds(all));
  ASSERT_OK_AND_ASSIGN(const auto reader, OpenFile(files(), "dir/log"));
  // Over each border of a read as the backend likes it best.
  const size_t read = files().capabilities().preferred_read_bytes;
  for (size_t at = read; at < all.size(); at += read) {
    EXPECT_THAT(reader->ReadNow({at - 1, 2}),
                IsOkAndHolds(all.substr(at - 1, 2)));
  }
}

TEST_P(AppendFileContractTest, FinishedFileRefusesAppends) {
  const auto file = Create("dir/data");
  EXPECT_OK(file->AppendNow("all"));
  EXPECT_OK(FinishFile(*file));
  EXPECT_EQ(file->durable(), 3);
  EXPECT_THAT(file->AppendNow("more"),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  Waiter<absl::StatusOr<uint64_t>> appended;
  file->Append("more", appended.callback());
  EXPECT_THAT(appended.Wait(), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(FinishFile(*file),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_OK(file->SyncNow(SyncMode::kData));
  EXPECT_THAT(ReadWholeFile(files(), "dir/data"), IsOkAndHolds("all"));
}

TEST_P(AppendFileContractTest, AbandonedFileIsGoneAndRefusesCalls) {
  const auto file = Create("dir/data");
  EXPECT_OK(file->AppendNow("some"));
  file->Abandon();
  EXPECT_THAT(file->AppendNow("more"),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(file->SyncNow(SyncMode::kData),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(OpenFile(files(), "dir/data"),
              StatusIs(absl::StatusCode::kNotFound));
}

TEST_P(AppendFileContractTest, AbandonLeavesAFinishedFileAlone) {
  const auto file = Create("dir/data");
  EXPECT_OK(file->AppendNow("all"));
  EXPECT_OK(FinishFile(*file));
  file->Abandon();
  EXPECT_THAT(ReadWholeFile(files(), "dir/data"), IsOkAndHolds("all"));
}

TEST_P(AppendFileContractTest, DestructorWaitsForCallbacks) {
  int called = 0;
  auto file = Create("dir/log");
  for (int i = 0; i < 50; ++i) {
    file->Append("x", [&](absl::StatusOr<uint64_t>) { ++called; });
    file->Sync(SyncMode::kData, [&](absl::Status) { ++called; });
  }
  file.reset();
  EXPECT_EQ(called, 100);
}

TEST_P(AppendFileContractTest, ACallbackMayDestroyTheFile) {
  auto file = Create("dir/log");
  absl::Notification called, destroyed;
  std::vector<std::string> order;
  file->Append("x", [&](absl::StatusOr<uint64_t>) {
    called.WaitForNotification();
    file.reset();
    order.push_back("destroyed");
    destroyed.Notify();
  });
  file->Append("y",
               [&](absl::StatusOr<uint64_t>) { order.push_back("append"); });
  file->Sync(SyncMode::kData, [&](absl::Status) { order.push_back("sync"); });
  called.Notify();
  destroyed.WaitForNotification();
  EXPECT_THAT(order, ElementsAre("append", "sync", "destroyed"));
}

TEST_P(AppendFileContractTest, ACallbackMayUseTheFile) {
  const auto file = Create("dir/log");
  Waiter<absl::Status> synced;
  file->Append("a", [&](absl::StatusOr<uint64_t>) {
    EXPECT_THAT(file->AppendNow("b"), IsOkAndHolds(2));
    EXPECT_OK(file->SyncNow(SyncMode::kData));
    file->Append("c", [&](absl::StatusOr<uint64_t> size) {
      EXPECT_THAT(size, IsOkAndHolds(3));
      file->Sync(SyncMode::kData, synced.callback());
    });
  });
  EXPECT_OK(synced.Wait());
  EXPECT_EQ(file->durable(), 3);
}

TEST_P(AppendFileContractTest, ReadsStopAtTheEnd) {
  ASSERT_OK(WriteWholeFile(files(), "dir/data", "0123456789", lease_->token()));
  ASSERT_OK_AND_ASSIGN(const auto file, OpenFile(files(), "dir/data"));
  EXPECT_EQ(file->size(), 10);
  EXPECT_THAT(file->ReadNow({0, 4}), IsOkAndHolds("0123"));
  EXPECT_THAT(file->ReadNow({8, 4}), IsOkAndHolds("89"));
  EXPECT_THAT(file->ReadNow({10, 4}), IsOkAndHolds(""));
  EXPECT_THAT(file->ReadNow({1000, 4}), IsOkAndHolds(""));
  EXPECT_THAT(file->ReadNow({3, 0}), IsOkAndHolds(""));
  EXPECT_THAT(file->ReadNow({5, SIZE_MAX}), IsOkAndHolds("56789"));
  EXPECT_THAT(file->ReadNow({UINT64_MAX, SIZE_MAX}), IsOkAndHolds(""));
}

TEST_P(AppendFileContractTest, ReadManyGivesEachExtent) {
  ASSERT_OK(WriteWholeFile(files(), "dir/data", "0123456789", lease_->token()));
  ASSERT_OK_AND_ASSIGN(const auto file, OpenFile(files(), "dir/data"));
  Waiter<absl::StatusOr<std::vector<std::string>>> read;
  {
    const std::vector<FileExtent> extents = {{7, 9}, {0, 2}, {40, 1}, {0, 3}};
    file->ReadMany(extents, read.callback());
  }
  EXPECT_THAT(read.Wait(), IsOkAndHolds(ElementsAre("789", "01", "", "012")));
  Waiter<absl::StatusOr<std::vector<std::string>>> none;
  file->ReadMany({}, none.callback());
  EXPECT_THAT(none.Wait(), IsOkAndHolds(IsEmpty()));
}

TEST_P(AppendFileContractTest, ReadsRunSideBySideAndTheDestructorWaits) {
  std::string bytes;
  for (int i = 0; i < 10000; ++i) absl::StrAppend(&bytes, i, " ");
  ASSERT_OK(WriteWholeFile(files(), "dir/data", bytes, lease_->token()));
  ASSERT_OK_AND_ASSIGN(auto file, OpenFile(files(), "dir/data"));
  std::atomic<int> called = 0;  // Read after the destructor has joined.
  Random random(TestSeed());
  for (int i = 0; i < 100; ++i) {
    const FileExtent extent{random.Uniform(bytes.size()), 100};
    file->Read(extent, [&, extent](absl::StatusOr<std::string> read) {
      EXPECT_THAT(read,
                  IsOkAndHolds(bytes.substr(extent.offset, extent.length)));
      called.fetch_add(1, std::memory_order_relaxed);
    });
  }
  file.reset();
  EXPECT_EQ(called.load(), 100);
}

TEST_P(AppendFileContractTest, AGrowingLogCanBeReadUpToItsEnd) {
  const auto log = Create("dir/log");
  ASSERT_OK(log->AppendNow("01234"));
  ASSERT_OK(log->SyncNow(SyncMode::kData));
  ASSERT_OK_AND_ASSIGN(const auto file, OpenFile(files(), "dir/log"));
  EXPECT_EQ(file->size(), 5);
  ASSERT_OK(log->AppendNow("56789"));
  EXPECT_THAT(file->ReadNow({3, 100}), IsOkAndHolds("3456789"));
}

TEST_P(AppendFileContractTest, KnownSizeIsTaken) {
  ASSERT_OK(WriteWholeFile(files(), "dir/data", "0123456789", lease_->token()));
  ASSERT_OK_AND_ASSIGN(const auto file, OpenFile(files(), "dir/data", 10));
  EXPECT_EQ(file->size(), 10);
  EXPECT_THAT(file->ReadNow({8, 4}), IsOkAndHolds("89"));
}

TEST_P(AppendFileContractTest, AppendAfterTheLeaseEndedIsFencedForGood) {
  const auto file = Create("dir/log");
  ASSERT_OK(file->AppendNow("mine"));
  lease_.reset();
  lease_ = Acquire();
  const absl::Status late = file->AppendNow("late").status();
  EXPECT_EQ(OutcomeOf(late), FileOutcome::kFenced) << late;
  EXPECT_EQ(OutcomeOf(file->SyncNow(SyncMode::kData)), FileOutcome::kFenced);
  EXPECT_THAT(SealFile(files(), "dir/log", lease_->token()), IsOkAndHolds(4));
  EXPECT_THAT(ReadWholeFile(files(), "dir/log"), IsOkAndHolds("mine"));
}

TEST_P(AppendFileContractTest, OwnersSealStopsItsOwnAppends) {
  const auto file = Create("dir/log");
  ASSERT_OK(file->AppendNow("0123456789"));
  EXPECT_THAT(SealFile(files(), "dir/log", lease_->token()), IsOkAndHolds(10));
  EXPECT_THAT(file->AppendNow("more"),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(SealFile(files(), "dir/log", lease_->token()), IsOkAndHolds(10));
  EXPECT_THAT(ReadWholeFile(files(), "dir/log"), IsOkAndHolds("0123456789"));
}

// 32 appends and syncs under way when the owner changes: the sealed length is
// at least every sync acknowledged, and what it covers stays as it is.
TEST_P(AppendFileContractTest, SealCoversEveryAcknowledgedSync) {
  for (int round = 0; round < 20; ++round) {
    const std::string name = absl::StrCat("dir/log-", round);
    auto file = Create(name);
    const std::string record(600, 'a' + round % 26);
    absl::Mutex mu;
    uint64_t acknowledged = 0;
    for (int i = 1; i <= 32; ++i) {
      file->Append(record, [](absl::StatusOr<uint64_t>) {});
      file->Sync(SyncMode::kData, [&, i](absl::Status status) {
        absl::MutexLock lock(&mu);
        if (status.ok()) acknowledged = i * record.size();
      });
    }
    lease_.reset();
    lease_ = Acquire();
    ASSERT_OK_AND_ASSIGN(const uint64_t sealed,
                         SealFile(files(), name, lease_->token()));
    ASSERT_OK_AND_ASSIGN(const std::string at_seal,
                         ReadWholeFile(files(), name));
    file.reset();
    EXPECT_GE(sealed, acknowledged);
    EXPECT_EQ(at_seal.size(), sealed);
    EXPECT_THAT(ReadWholeFile(files(), name), IsOkAndHolds(at_seal));
  }
}

// The same file systems, each behind one that makes a call of it fail.
class FailedFileContractTest : public AppendFileContractTest {
 protected:
  using Effect = Fault::Effect;

  std::unique_ptr<AppendFile> CreateFailing(absl::string_view name) {
    auto file = CreateFile(failing_, name, FileKind::kLog, lease_->token());
    EXPECT_OK(file);
    return *std::move(file);
  }

  FaultyFileSystem failing_{files(), executor_};
};

TEST_P(FailedFileContractTest, NothingIsAcceptedAfterAFailure) {
  for (const FileOp op : {FileOp::kAppend, FileOp::kSync}) {
    const std::string name = absl::StrCat("dir/", FileOpName(op));
    const auto file = CreateFailing(name);
    ASSERT_OK(file->AppendNow("durable"));
    ASSERT_OK(file->SyncNow(SyncMode::kData));
    failing_.faults().Inject({.op = op});  // Once.
    const auto appended = file->AppendNow("x");
    const absl::Status failed = op == FileOp::kAppend
                                    ? appended.status()
                                    : file->SyncNow(SyncMode::kData);
    EXPECT_EQ(OutcomeOf(failed), FileOutcome::kIoError) << failed;
    const uint64_t accepted = file->accepted();
    EXPECT_EQ(file->AppendNow("more").status(), failed);
    EXPECT_EQ(file->SyncNow(SyncMode::kFull), failed);
    Waiter<absl::StatusOr<uint64_t>> late;
    file->Append("more", late.callback());
    EXPECT_EQ(late.Wait().status(), failed);
    EXPECT_EQ(FinishFile(*file), failed);
    EXPECT_EQ(file->accepted(), accepted);
    EXPECT_EQ(file->durable(), 7);
    EXPECT_THAT(ReadWholeFile(files(), name),
                IsOkAndHolds(testing::Not(HasSubstr("more"))));
  }
}

TEST_P(FailedFileContractTest, ASealDecidesHowAnUnknownAppendEnded) {
  for (const Effect effect :
       {Effect::kNotApplied, Effect::kApplied, Effect::kAppliedLater}) {
    failing_.faults().Inject(
        {.op = FileOp::kAppend,
         .nth = 2,
         .fault = {.effect = effect, .outcome = FileOutcome::kUnknown}});
    const std::string name = absl::StrCat("dir/", static_cast<int>(effect));
    const auto file = CreateFailing(name);
    ASSERT_OK(file->AppendNow("sure "));
    EXPECT_EQ(OutcomeOf(file->AppendNow("perhaps").status()),
              FileOutcome::kUnknown);
    const std::string expected =
        effect == Effect::kApplied ? "sure perhaps" : "sure ";
    EXPECT_THAT(SealFile(failing_, name, lease_->token()),
                IsOkAndHolds(expected.size()));
    failing_.faults().Release();  // Too late for the append.
    EXPECT_THAT(SealFile(failing_, name, lease_->token()),
                IsOkAndHolds(expected.size()));
    EXPECT_THAT(ReadWholeFile(files(), name), IsOkAndHolds(expected));
    failing_.faults().WithdrawAll();
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, FailedFileContractTest,
                         testing::ValuesIn(AllFileSystemVariants()),
                         VariantName);
INSTANTIATE_TEST_SUITE_P(Variants, AppendFileContractTest,
                         testing::ValuesIn(AllFileSystemVariants()),
                         VariantName);

}  // namespace
}  // namespace shale
