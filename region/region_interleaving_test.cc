// What readers and writers that meet at a certain step see of each other; a
// hook in mvcc holds them there. Over all its variants.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/base/uuid.h"
#include "shale/cell/write_number.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/locking/row_commit_sequencer_variants.h"
#include "shale/mvcc/mvcc_variants.h"
#include "shale/region/catalog.h"
#include "shale/region/region_components.h"
#include "shale/region/testing/hooked_mvcc.h"
#include "shale/region/testing/increment_combinations.h"
#include "shale/region/testing/pending_apply.h"
#include "shale/region/testing/test_host.h"
#include "shale/wal/wal.h"

namespace shale {
namespace {

MutationBatch BatchOf(RowMutation mutation) {
  MutationBatch batch;
  batch.mutations.push_back(std::move(mutation));
  return batch;
}

MutationBatch Put(const std::string& row, const std::string& value = "v") {
  return BatchOf(RowMutation(row).Put("f", "q", value));
}

// Holds the first write that has inserted its cells, with its rows locked. What
// comes meanwhile is answered before this goes.
class HeldInsert {
 public:
  // Sets the hook; a thread applies `batch`.
  HeldInsert(MvccHooks& hooks, Region& region, MutationBatch batch)
      : hooks_(hooks) {
    hooks.before_inserted = [this](WriteRange) {
      if (first_.exchange(false)) {
        held_.Notify();
        let_go_.WaitForNotification();
      }
    };
    thread_ = std::thread([&region, batch = std::move(batch)]() mutable {
      EXPECT_OK(region.Apply(std::move(batch)).status());
    });
    held_.WaitForNotification();
  }
  ~HeldInsert() {
    LetGo();
    hooks_.before_inserted = nullptr;
  }

  void LetGo() {
    if (!thread_.joinable()) return;
    released_ = true;
    let_go_.Notify();
    thread_.join();
  }
  bool released() const { return released_; }

 private:
  MvccHooks& hooks_;
  std::atomic<bool> first_ = true;
  std::atomic<bool> released_ = false;
  absl::Notification held_;
  absl::Notification let_go_;
  std::thread thread_;
};

HostOptions WithHooks(HostOptions options, const MvccHooks& hooks) {
  options.components.mvcc = [create = options.components.mvcc, &hooks](
                                const MvccOptions& mvcc, Clock& clock) {
    return std::make_unique<HookedMvcc>(create(mvcc, clock), hooks);
  };
  return options;
}

class RegionInterleavingTest : public testing::TestWithParam<MvccVariant> {
 protected:
  Region& region() { return host_.region(); }

  // The region is empty, or has that many cells, all with the same value.
  void ExpectOneValue(int cells) {
    ASSERT_OK_AND_ASSIGN(const auto scanner, region().NewScanner({}));
    std::optional<std::string> value;
    int found = 0;
    for (;;) {
      ASSERT_OK_AND_ASSIGN(const auto row, scanner->Next());
      if (!row.has_value()) break;
      for (const Cell& cell : row->cells) {
        if (!value.has_value()) value = cell.value;
        ASSERT_EQ(cell.value, *value) << cell.row << "/" << cell.family;
        ++found;
      }
    }
    EXPECT_EQ(found, value.has_value() ? cells : 0);
  }

  // On a clock that stands still.
  static HostOptions Options(const MvccHooks& hooks,
                             const RowCommitSequencerVariant& sequencer =
                                 RowCommitSequencerVariants().front()) {
    HostOptions options;
    options.components.mvcc = GetParam().create;
    options.components.commit_sequencer = sequencer.create;
    return WithHooks(std::move(options), hooks);
  }

  MvccHooks hooks_;
  ManualClock clock_;
  ThreadPoolExecutor executor_{2, clock_};
  MemoryFileSystem memory_{executor_};
  FaultyFileSystem files_{memory_, executor_};
  TestHost host_{files_,
                 TestHost::Schema({.ttl = absl::Seconds(10)}),
                 {},
                 Options(hooks_),
                 clock_};
};

INSTANTIATE_TEST_SUITE_P(Variants, RegionInterleavingTest,
                         testing::ValuesIn(MvccVariants().begin(),
                                           MvccVariants().end()),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

// The other way round, what is written and flushed between the two would be
// visible to the pin and in neither memstore nor file of the view.
TEST_P(RegionInterleavingTest, AReaderPinsBeforeItTakesTheView) {
  ASSERT_OK(host_.Open());
  ASSERT_OK(region().Apply(Put("before")).status());
  bool inside = false;
  hooks_.before_pin = [&] {
    if (std::exchange(inside, true)) return;
    ASSERT_OK(region().Flush());
    ASSERT_OK(region().Apply(Put("meanwhile")).status());
    inside = false;
  };
  EXPECT_EQ(ScanText(region(), {}, /*timestamps=*/false),
            "before/f:q=v\nmeanwhile/f:q=v\n");
  EXPECT_EQ(ReadText(region(), "meanwhile", {}, /*timestamps=*/false),
            "meanwhile/f:q=v");
  hooks_.before_pin = nullptr;
}

TEST_P(RegionInterleavingTest, AScanHasOneNow) {
  ASSERT_OK(host_.Open());
  for (const char* row : {"a", "b", "c"}) {
    ASSERT_OK(
        region().Apply(RowMutation(row).Put("f", "1", "v").Put("f", "2", "v")));
  }
  Scan scan;
  scan.batch_cells = 1;
  ASSERT_OK_AND_ASSIGN(const auto scanner, region().NewScanner(scan));
  ASSERT_OK_AND_ASSIGN(const auto first, scanner->Next());
  ASSERT_TRUE(first.has_value());
  clock_.Advance(absl::Seconds(11));
  ASSERT_OK(region().Flush());  // Which forgets what has expired.
  int left = 0;
  for (;;) {
    ASSERT_OK_AND_ASSIGN(const auto next, scanner->Next());
    if (!next.has_value()) break;
    ++left;
  }
  EXPECT_EQ(left, 5);
  EXPECT_EQ(ScanText(region()), "");
}

TEST_P(RegionInterleavingTest, ABatchIsInsertedWholeBeforeItMayBeSeen) {
  ASSERT_OK(host_.Open());
  const auto read = [this](IsolationLevel isolation) {
    Scan scan;
    scan.options.isolation = isolation;
    return ScanText(region(), scan, /*timestamps=*/false);
  };
  std::string inserted, visible;
  hooks_.before_inserted = [&](WriteRange) {
    inserted = read(IsolationLevel::kReadUncommitted);
    visible = read(IsolationLevel::kReadCommitted);
  };
  MutationBatch batch = Put("a");
  batch.mutations.push_back(
      RowMutation("b").Put("f", "q", "v").Put("g", "q", "v"));
  batch.durability = Durability::kSkipWal;
  ASSERT_OK(region().Apply(std::move(batch)).status());
  hooks_.before_inserted = nullptr;
  EXPECT_EQ(inserted, "a/f:q=v\nb/f:q=v b/g:q=v\n");
  EXPECT_EQ(visible, "");
  EXPECT_EQ(read(IsolationLevel::kReadCommitted), inserted);
}

// From the append on nothing refuses a write: what is in the log is in memory.
TEST_P(RegionInterleavingTest, NothingThatIsAppendedFailsWhateverHappens) {
  ASSERT_OK(host_.Open());
  files_.faults().Inject({.op = FileOp::kSync,
                          .name = "host/wal/*",
                          .times = FaultRule::kAlways,
                          .fault = {.effect = Fault::Effect::kHeld}});
  const std::function<void()> events[] = {
      [&] { clock_.Advance(absl::Hours(1)); },  // Its deadline.
      [&] { files_.Crash(1); },                 // The log can't go on either.
  };
  Get get{"r", {}};
  get.options.isolation = IsolationLevel::kReadUncommitted;
  int appended = 0;
  for (const std::function<void()>& event : events) {
    hooks_.after_begin = [&](const BeginResult&) {
      ++appended;
      event();
    };
    const std::string value = absl::StrCat("v", appended);
    ApplyResult result = region().Apply(
        BatchOf(RowMutation("r").Put("g", "p", value).Put("g", "q", value)));
    hooks_.after_begin = nullptr;
    EXPECT_TRUE(absl::IsUnknown(result.status())) << result.status();
    ASSERT_OK_AND_ASSIGN(const RowResult row, region().Read(get));
    EXPECT_EQ(row.Value("g", "p"), value);
    EXPECT_EQ(row.Value("g", "q"), value);
  }
  EXPECT_EQ(appended, 2);
  host_.Close().IgnoreError();  // Its files are gone.
}

// Or a flush in between would let go of the log that has it.
TEST_P(RegionInterleavingTest, TheLogKnowsWhoNeedsAnEntryOnceItIsBegun) {
  HostOptions options = Options(hooks_);
  Wal* wal = nullptr;
  options.components.open_wal =
      [&wal, open = DefaultRegionComponents().open_wal](auto&&... args) {
        auto opened = open(args...);
        if (opened.ok()) wal = opened->get();
        return opened;
      };
  TestHost host(files_, TestHost::Schema(), {}, std::move(options), clock_);
  ASSERT_OK(host.Open());
  ASSERT_OK_AND_ASSIGN(const Catalog catalog, Catalog::Open(files_, "host"));
  const Uuid region = catalog.Find("r")->incarnation;
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(host.region().Flush());
    ASSERT_EQ(wal->OldestNeeded(region), wal->appended());
    bool begun = false;
    hooks_.after_begin = [&](const BeginResult& result) {
      begun = true;
      EXPECT_LE(wal->OldestNeeded(region), result.durable_at);
      EXPECT_LT(wal->OldestNeeded(region), wal->appended());
    };
    ASSERT_OK(host.region().Apply(Put("r")).status());
    hooks_.after_begin = nullptr;
    EXPECT_TRUE(begun);
  }
  ASSERT_OK(host.Close());
}

// Whatever a flush is waiting for, it isn't under a lock that a write takes.
TEST_P(RegionInterleavingTest, WritesPassWhileAFlushWritesItsFiles) {
  ASSERT_OK(host_.Open());
  const FaultRule steps[] = {
      {.op = FileOp::kCreate, .name = "*.store"},
      {.op = FileOp::kAppend, .name = "*.store"},
      {.op = FileOp::kFinish, .name = "*.store"},
      {.op = FileOp::kOpen, .name = "*.store"},
      {.op = FileOp::kCommitMeta, .name = "*/manifest"},
  };
  for (FaultRule step : steps) {
    SCOPED_TRACE(FileOpName(*step.op));
    ASSERT_OK(region().Apply(Put("r", "before")).status());
    step.fault.effect = Fault::Effect::kHeld;
    files_.faults().Inject(step);
    auto flush = std::async(std::launch::async,
                            [this] { return region().Flush().status(); });
    files_.faults().AwaitHeld(1);
    ASSERT_OK(region().Apply(Put("r", "meanwhile")).status());
    ASSERT_OK(region().Increment(Increment("s").Add("f", "q", 1)).status);
    EXPECT_EQ(ReadText(region(), "r", {}, /*timestamps=*/false),
              "r/f:q=meanwhile");
    EXPECT_NE(flush.wait_for(std::chrono::seconds(0)),
              std::future_status::ready);
    files_.faults().WithdrawAll();
    files_.faults().Release();
    EXPECT_OK(flush.get());
    EXPECT_EQ(ReadText(region(), "r", {}, /*timestamps=*/false),
              "r/f:q=meanwhile");
  }
}

// All in one thread: what waited for a lock of the scanner would never return.
TEST_P(RegionInterleavingTest, AScannerHoldsNoLockBetweenCalls) {
  ASSERT_OK(host_.Open());
  const auto write = [&](const std::string& value) {
    for (const char* row : {"a", "b", "c"}) {
      ASSERT_OK(region().Apply(
          RowMutation(row).Put("f", "1", value).Put("f", "2", value)));
    }
  };
  write("older");
  ASSERT_OK(region().Flush());
  write("old");
  Scan scan;
  scan.batch_cells = 1;
  ASSERT_OK_AND_ASSIGN(const auto scanner, region().NewScanner(scan));
  for (int calls = 0; calls < 6; ++calls) {
    ASSERT_OK_AND_ASSIGN(const auto next, scanner->Next());
    ASSERT_TRUE(next.has_value());
    EXPECT_EQ(next->cells[0].value, "old");
    write("new");
    ASSERT_OK(region().Increment(Increment("a").Add("f", "n", 1)).status);
    ASSERT_OK(region().Apply(RowMutation("b").DeleteRow()));
    ASSERT_OK(region().Flush());
    ASSERT_OK(region().Compact());
  }
  ASSERT_OK_AND_ASSIGN(const auto end, scanner->Next());
  EXPECT_FALSE(end.has_value());
}

// What of one batch is there is always all of it, in every row and family.
TEST_P(RegionInterleavingTest, ABatchOfManyRowsIsSeenWholeOrNotAtAll) {
  constexpr int kRows = 40;
  constexpr int kBatches = 100;
  ASSERT_OK(host_.Open());
  std::atomic<int> writers = 2;
  std::vector<std::thread> threads;
  for (int t = 0; t < writers; ++t) {
    threads.emplace_back([&, t] {
      // Most are visible as soon as they are inserted.
      const Durability levels[] = {Durability::kSkipWal, Durability::kAsyncWal,
                                   Durability::kSkipWal, Durability::kSyncWal};
      for (int i = 0; i < kBatches; ++i) {
        MutationBatch batch;
        batch.durability = levels[i % 4];
        batch.atomic = i % 2 == 0;
        for (int r = 0; r < kRows; ++r) {
          const std::string value = absl::StrCat(t, ":", i);
          batch.mutations.push_back(RowMutation(absl::StrCat(r))
                                        .Put("f", "q", value)
                                        .Put("g", "q", value));
        }
        ASSERT_OK(region().Apply(std::move(batch)).status());
        if (i % 20 == 10) {
          ASSERT_OK(region().Flush());
        }
      }
      --writers;
    });
  }
  do {
    ExpectOneValue(2 * kRows);
  } while (writers > 0 && !HasFailure());
  for (std::thread& thread : threads) thread.join();
}

// Whether a write of a row passes by another one that has it locked.
TEST_P(RegionInterleavingTest, PutsShareTheirRowUnlessASequencerIsOn) {
  MutationBatch atomic = Put("r");
  atomic.atomic = true;
  atomic.mutations.push_back(RowMutation("s").Put("f", "q", "v"));
  const MutationBatch increment =
      BatchOf(RowMutation("r").Increment("f", "n", 1));
  MutationBatch check = Put("r");
  check.check = CheckAndMutate("r", RowMutation("r"))
                    .IfNotExists("f", "never")
                    .TakeBatch()
                    .check;
  const MutationBatch remove = BatchOf(RowMutation("r").DeleteRow());
  const struct {
    const char* what;
    MutationBatch first;
    MutationBatch second;
    bool passes;  // With the sequencer off.
  } cases[] = {
      {"put, put", Put("r"), Put("r"), true},
      {"put, delete", Put("r"), remove, true},
      {"delete, put", remove, Put("r"), true},
      {"put, atomic batch", Put("r"), atomic, false},
      {"atomic batch, put", atomic, Put("r"), false},
      {"put, increment", Put("r"), increment, false},
      {"increment, put", increment, Put("r"), false},
      {"put, check", Put("r"), check, false},
      {"check, put", check, Put("r"), false},
      {"put, put of another row", Put("r"), Put("other"), true},
      {"atomic batch, put of another row", atomic, Put("other"), true},
  };
  for (const RowCommitSequencerVariant& sequencer :
       RowCommitSequencerVariants()) {
    const bool off = std::string(sequencer.name) == "off";
    MvccHooks hooks;
    ThreadPoolExecutor executor(2, clock_);
    MemoryFileSystem memory(executor);
    TestHost host(memory, TestHost::Schema(), {}, Options(hooks, sequencer),
                  clock_);
    ASSERT_OK(host.Open());
    for (const auto& c : cases) {
      SCOPED_TRACE(absl::StrCat(sequencer.name, ": ", c.what));
      clock_.Advance(absl::Milliseconds(2));  // `tick` waits for none.
      HeldInsert first(hooks, host.region(), c.first);
      const WriteNumber before = host.region().Stats().write_point;
      clock_.Advance(absl::Milliseconds(2));
      PendingApply second(host.region(), c.second);
      const bool other_row = c.second.mutations[0].row() == "other";
      EXPECT_EQ(host.region().Stats().write_point > before,
                c.passes && (off || other_row));
      first.LetGo();
      EXPECT_OK(second.Wait().status());
    }
    ASSERT_OK(host.Close());
  }
}

class IncrementInterleavingTest
    : public testing::TestWithParam<IncrementCombination> {
 protected:
  bool is_narrow() const { return GetParam().increment == "narrow"; }

  MvccHooks hooks_;
  TestHost host_{TestHost::Schema(), {}, WithHooks(GetParam().options, hooks_)};
};

// Durable is not visible yet: `narrow` alone answers before.
TEST_P(IncrementInterleavingTest, ACountIsAnsweredOnceAPlainReadSeesIt) {
  ASSERT_OK(host_.host().CreateRegion([] {
    RegionSchema schema = TestHost::Schema();
    schema.name = "other";
    return schema;
  }()));
  // Of the same mvcc, but with numbers of its own.
  ASSERT_OK_AND_ASSIGN(const auto other, host_.host().OpenRegion("other"));
  HeldInsert earlier(hooks_, host_.region(), Put("earlier"));
  bool answered_early = false;
  absl::Notification answered;
  host_.region().IncrementAsync(Increment("r").Add("f", "q", 1),
                                [&](UpdateResult result) {
                                  EXPECT_OK(result.status);
                                  answered_early = !earlier.released();
                                  answered.Notify();
                                });
  // They share the log: with these, all before them is durable and its
  // listeners know.
  for (int i = 0; i < 2; ++i) ASSERT_OK(other->Apply(Put("r")).status());
  EXPECT_EQ(ReadText(host_.region(), "r"), "");
  if (is_narrow()) answered.WaitForNotification();
  earlier.LetGo();
  answered.WaitForNotification();
  EXPECT_EQ(answered_early, is_narrow());
  ASSERT_OK(host_.region().Apply(Put("later")).status());
  EXPECT_NE(ReadText(host_.region(), "r"), "");
}

INSTANTIATE_TEST_SUITE_P(Combinations, IncrementInterleavingTest,
                         testing::ValuesIn(IncrementMvccCombinations()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace shale
