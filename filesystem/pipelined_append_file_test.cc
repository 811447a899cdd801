#include "shale/filesystem/pipelined_append_file.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/completion.h"
#include "shale/base/random.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/blocking_file.h"
#include "shale/filesystem/outcome.h"

namespace shale {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// What a scripted file is to do, and what it was asked; outlives it.
struct Script {
  absl::Mutex mu;
  std::string bytes ABSL_GUARDED_BY(mu);
  int writes ABSL_GUARDED_BY(mu) = 0;
  int syncs ABSL_GUARDED_BY(mu) = 0;
  // Which write or sync fails, counted from 1; 0: none.
  int bad_write = 0;
  int bad_sync = 0;
  // The sync that waits for `release`, and says when it has come so far.
  int held_sync = 0;
  absl::Notification held;
  absl::Notification release;
};

class ScriptedFile final : public BlockingFile {
 public:
  explicit ScriptedFile(Script& script) : script_(script) {}

  absl::Status Write(uint64_t offset, absl::string_view bytes) override {
    absl::MutexLock lock(&script_.mu);
    EXPECT_EQ(offset, script_.bytes.size());
    if (++script_.writes == script_.bad_write) {
      return FileError(FileOutcome::kIoError, "append to", "f", "scripted");
    }
    script_.bytes.append(bytes.data(), bytes.size());
    return absl::OkStatus();
  }

  absl::Status Sync(SyncMode /*mode*/) override {
    int number;
    {
      absl::MutexLock lock(&script_.mu);
      number = ++script_.syncs;
    }
    if (number == script_.held_sync) {
      script_.held.Notify();
      script_.release.WaitForNotification();
    }
    if (number != script_.bad_sync) return absl::OkStatus();
    return FileError(FileOutcome::kIoError, "sync", "f", "scripted");
  }

  absl::Status Finish() override { return absl::OkStatus(); }
  void Remove() override {}

 private:
  Script& script_;
};

class PipelinedAppendFileTest : public testing::Test {
 protected:
  std::unique_ptr<PipelinedAppendFile> Open() {
    return std::make_unique<PipelinedAppendFile>(
        executor_, "f", std::make_unique<ScriptedFile>(script_));
  }

  int syncs() {
    absl::MutexLock lock(&script_.mu);
    return script_.syncs;
  }

  Script script_;
  ThreadPoolExecutor executor_{4, RealClock()};
};

TEST_F(PipelinedAppendFileTest, ASyncUnderWayHoldsUpNothingButCallbacks) {
  script_.held_sync = 1;
  const auto file = Open();
  file->Append("first", [](absl::StatusOr<uint64_t>) {});
  Waiter<absl::Status> first;
  file->Sync(SyncMode::kData, first.callback());
  script_.held.WaitForNotification();
  EXPECT_THAT(file->AppendNow("second"), IsOkAndHolds(11));
  EXPECT_OK(file->SyncNow(SyncMode::kData));
  EXPECT_EQ(file->durable(), 11);
  Waiter<absl::Status> last;
  file->Sync(SyncMode::kData, last.callback());
  script_.release.Notify();
  EXPECT_OK(first.Wait());
  EXPECT_OK(last.Wait());
}

TEST_F(PipelinedAppendFileTest, AFailedAppendIsTheCauseOfAllLaterFailures) {
  script_.bad_write = 2;
  const auto file = Open();
  std::vector<absl::Status> results;
  for (int i = 0; i < 4; ++i) {
    file->Append("bytes", [&](absl::StatusOr<uint64_t> size) {
      results.push_back(size.status());
    });
  }
  Waiter<absl::Status> synced;
  file->Sync(SyncMode::kData, synced.callback());
  const absl::Status failed = synced.Wait();
  EXPECT_THAT(failed, StatusIs(absl::StatusCode::kUnknown,
                               HasSubstr("append to f: scripted")));
  EXPECT_THAT(results, ElementsAre(absl::OkStatus(), failed, failed, failed));
  EXPECT_EQ(file->AppendNow("x").status(), failed);
  EXPECT_EQ(file->SyncNow(SyncMode::kData), failed);
  EXPECT_EQ(file->accepted(), 5);
  EXPECT_EQ(file->durable(), 0);
  absl::MutexLock lock(&script_.mu);
  EXPECT_EQ(script_.bytes, "bytes");
  EXPECT_EQ(script_.writes, 2);
  EXPECT_EQ(script_.syncs, 0);
}

// The first sync fails after the second, called later, has succeeded: what the
// second covers is not all durable.
TEST_F(PipelinedAppendFileTest, ASyncAfterAFailedOneIsNotReportedAsDone) {
  script_.held_sync = 1;
  script_.bad_sync = 1;
  const auto file = Open();
  ASSERT_OK(file->AppendNow("bytes"));
  Waiter<absl::Status> first;
  file->Sync(SyncMode::kData, first.callback());
  script_.held.WaitForNotification();
  Waiter<absl::Status> second;
  file->Sync(SyncMode::kData, second.callback());
  while (syncs() < 2) std::this_thread::yield();
  script_.release.Notify();
  const absl::Status failed = first.Wait();
  EXPECT_EQ(OutcomeOf(failed), FileOutcome::kIoError);
  EXPECT_EQ(second.Wait(), failed);
}

TEST_F(PipelinedAppendFileTest, ASyncBeforeAFailedOneStillCounts) {
  script_.held_sync = 1;
  script_.bad_sync = 2;
  const auto file = Open();
  ASSERT_OK(file->AppendNow("bytes"));
  Waiter<absl::Status> first;
  file->Sync(SyncMode::kData, first.callback());
  script_.held.WaitForNotification();
  EXPECT_EQ(OutcomeOf(file->SyncNow(SyncMode::kData)), FileOutcome::kIoError);
  EXPECT_EQ(file->durable(), 0);
  script_.release.Notify();
  EXPECT_OK(first.Wait());
  EXPECT_EQ(file->durable(), 5);
}

// Neither of the two has a thread: the destructor is the only one to run them.
TEST(PipelinedAppendFileDestructorTest, NeedsNoThreadOfTheExecutor) {
  ManualClock clock;
  DeterministicExecutor executor(clock, 1);
  Script script;
  std::vector<std::string> called;
  {
    PipelinedAppendFile file(executor, "f",
                             std::make_unique<ScriptedFile>(script));
    file.Append("a", [&](absl::StatusOr<uint64_t> size) {
      EXPECT_OK(size);
      called.push_back("append");
    });
    file.Sync(SyncMode::kData, [&](absl::Status status) {
      EXPECT_OK(status);
      called.push_back("sync");
    });
    file.Finish([&](absl::Status status) {
      EXPECT_OK(status);
      called.push_back("finish");
    });
  }
  EXPECT_THAT(called, ElementsAre("append", "sync", "finish"));
  executor.RunUntilIdle();
}

// Any order of the executor's tasks and any failure: callbacks come in order,
// all before the first failure well, all from it on with its status, and what
// was reported as durable is what the file holds.
TEST(PipelinedAppendFileModelTest, EveryScheduleKeepsOrderAndPoison) {
  Random random(TestSeed());
  for (int round = 0; round < 2000; ++round) {
    SCOPED_TRACE(absl::StrCat("round ", round));
    ManualClock clock;
    DeterministicExecutor executor(clock, random.Next());
    Script script;
    if (random.OneIn(2)) script.bad_write = 1 + random.Uniform(12);
    if (random.OneIn(2)) script.bad_sync = 1 + random.Uniform(6);
    std::vector<int> order;
    std::vector<absl::Status> results;
    uint64_t reported_durable = 0;
    std::string all;
    int calls = 0;
    {
      PipelinedAppendFile file(executor, "f",
                               std::make_unique<ScriptedFile>(script));
      for (int step = 0; step < 24; ++step) {
        const uint64_t kind = random.Uniform(6);
        if (kind == 0) {
          all += "n";
          const absl::Status appended = file.AppendNow("n").status();
          if (!appended.ok()) break;
        } else if (kind <= 2) {
          file.Sync(SyncMode::kData, [&, call = calls++,
                                      size = all.size()](absl::Status status) {
            order.push_back(call);
            results.push_back(status);
            if (status.ok()) reported_durable = size;
          });
        } else {
          all += "a";
          file.Append("a", [&, call = calls++](absl::StatusOr<uint64_t> size) {
            order.push_back(call);
            results.push_back(size.status());
          });
        }
        while (random.OneIn(2) && executor.RunOne()) {
        }
      }
      EXPECT_LE(file.durable(), file.accepted());
    }
    ASSERT_EQ(order.size(), calls);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    const auto first_bad =
        std::find_if(results.begin(), results.end(),
                     [](const absl::Status& status) { return !status.ok(); });
    for (auto it = first_bad; it != results.end(); ++it) {
      EXPECT_EQ(*it, *first_bad);
    }
    absl::MutexLock lock(&script.mu);
    EXPECT_GE(script.bytes.size(), reported_durable);
    EXPECT_EQ(script.bytes, all.substr(0, script.bytes.size()));
  }
}

}  // namespace
}  // namespace shale
