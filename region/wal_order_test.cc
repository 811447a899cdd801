// What the log holds of writes of all kinds by many threads. HBASE-16698: write
// numbers that were given out before the order of the log was known got into it
// out of order, and a replay lost data.
#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/cell/write_number.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/region/testing/increment_combinations.h"
#include "shale/region/testing/naive_region.h"
#include "shale/region/testing/test_host.h"
#include "shale/wal/log_entry.h"
#include "shale/wal/log_scan.h"
#include "shale/wal/wal_variants.h"

namespace shale {
namespace {

constexpr int kThreads = 8;
constexpr int kWrites = 30;  // Of each thread.
constexpr int kRows = 4;     // That all of them write to.

// A batch that was answered with OK.
struct Answered {
  MutationBatch batch;
  ApplyResult result;

  bool logged() const { return batch.durability != Durability::kSkipWal; }
};

// One thread's batches. Those that skip the log have rows of their own, as a
// crash takes them away.
class Writer {
 public:
  Writer(Region& region, int id, uint64_t seed)
      : region_(region), id_(static_cast<uint64_t>(id)), random_(seed) {}

  void Run() {
    for (int i = 0; i < kWrites; ++i) {
      Apply(Draw());
      if (id_ == 0 && i % 10 == 5) {
        EXPECT_OK(region_.Flush());
      }
      if (id_ == 1 && i == kWrites / 2) {
        EXPECT_OK(region_.Compact());
      }
    }
  }

  const std::vector<Answered>& answered() const { return answered_; }

 private:
  MutationBatch Draw() {
    const bool skips = random_.OneIn(8);
    MutationBatch batch = DrawKind(skips ? "skip/" : "log/");
    const Durability levels[] = {Durability::kAsyncWal, Durability::kSyncWal,
                                 Durability::kFsyncWal};
    batch.durability =
        skips ? Durability::kSkipWal : levels[random_.Uniform(3)];
    batch.want_results = true;
    if (batch.atomic && random_.OneIn(3)) batch.nonce = {id_ + 1, ++nonces_};
    return batch;
  }

  MutationBatch DrawKind(absl::string_view rows) {
    const std::string row = Row(rows);
    MutationBatch batch;
    switch (random_.Uniform(7)) {
      case 0:
        batch.mutations = {RowMutation(row).Put("f", Column(), Value())};
        return batch;
      case 1:
        batch.mutations = {RowMutation(row).DeleteColumn("f", Column()),
                           RowMutation(Row(rows)).Put("g", "p", Value())};
        return batch;
      case 2:
        batch.mutations = {RowMutation(row).DeleteRow().Put("g", "p", Value())};
        return batch;
      case 3:
        batch.atomic = true;
        batch.mutations = {
            RowMutation(row).Put("f", Column(), Value()).Increment("g", "c", 3),
            RowMutation(Row(rows)).Append("f", "a", "+").DeleteColumn("g", "p"),
            RowMutation(Row(rows)).Increment("f", "c", 2)};
        return batch;
      case 4:
        return Increment(row).Add("f", "c", 1).Add("g", "c", 1).TakeBatch();
      case 5:
        return Append(row).Add("f", "a", absl::StrCat(id_, ",")).TakeBatch();
      default:
        return CheckAndMutate(row, RowMutation(row)
                                       .Put("f", "p0", Value())
                                       .Increment("f", "c", 1))
            .If("f", "p0",
                random_.OneIn(2) ? Comparison::kNotExists : Comparison::kLess,
                std::string(1, static_cast<char>('a' + random_.Uniform(26))))
            .TakeBatch();
    }
  }

  std::string Row(absl::string_view rows) {
    return absl::StrCat(rows, random_.Uniform(kRows));
  }
  std::string Column() { return absl::StrCat("p", random_.Uniform(3)); }
  // Long ones now and then, so that the log rolls.
  std::string Value() {
    return std::string(random_.Uniform(random_.OneIn(4) ? 4000 : 40),
                       static_cast<char>('a' + random_.Uniform(26)));
  }

  // One with a nonce is sent twice, the second before the first is answered.
  void Apply(MutationBatch batch) {
    Answered& first = answered_.emplace_back();
    first.batch = batch;
    ApplyResult repeat;
    absl::Notification repeated, done;
    const bool repeats = batch.nonce.nonce != 0;
    if (repeats) {
      region_.ApplyAsync(batch, [&](ApplyResult result) {
        repeat = std::move(result);
        repeated.Notify();
      });
    }
    region_.ApplyAsync(std::move(batch), [&](ApplyResult result) {
      first.result = std::move(result);
      done.Notify();
    });
    done.WaitForNotification();
    EXPECT_OK(first.result.status());
    if (!repeats) return;
    repeated.WaitForNotification();
    EXPECT_OK(repeat.status());
    // A check that fails leaves no nonce.
    if (first.result.matched && repeat.matched) {
      EXPECT_EQ(repeat.range, first.result.range);
    } else if (repeat.matched) {
      first.result = std::move(repeat);
    }
  }

  Region& region_;
  const uint64_t id_;
  Random random_;
  uint64_t nonces_ = 0;
  std::vector<Answered> answered_;
};

// A record as far as it is compared.
struct Logged {
  LogEntryType type;
  WriteRange range;
  Timestamp commit_timestamp;
  Nonce nonce;

  friend bool operator==(const Logged&, const Logged&) = default;
};

void PrintTo(const Logged& logged, std::ostream* out) {
  *out << LogEntryTypeName(logged.type) << " " << logged.range.first << ".."
       << logged.range.last << "@" << logged.commit_timestamp << " nonce "
       << logged.nonce.group << "/" << logged.nonce.nonce;
}

class WalOrderTest : public testing::TestWithParam<IncrementCombination> {
 protected:
  WalOrderTest() {
    EXPECT_OK(host_.Open());
    // Of another region and not flushed, so that the log is kept from here on.
    RegionSchema schema = TestHost::Schema();
    schema.name = "idle";
    EXPECT_OK(host_.host().CreateRegion(schema));
    idle_ = *host_.host().OpenRegion("idle");
    EXPECT_OK(idle_->Apply(RowMutation("r").Put("f", "q", "v")));
  }

  // Of all threads, in the order of their numbers. What wrote nothing is left
  // out.
  std::vector<Answered> Write(uint64_t seed) {
    std::vector<Writer> writers;
    for (int t = 0; t < kThreads; ++t) {
      writers.emplace_back(host_.region(), t, seed + static_cast<uint64_t>(t));
    }
    std::vector<std::thread> threads;
    for (Writer& writer : writers) {
      threads.emplace_back([&writer] { writer.Run(); });
    }
    for (std::thread& thread : threads) thread.join();
    std::vector<Answered> all;
    for (const Writer& writer : writers) {
      for (const Answered& one : writer.answered()) {
        if (one.result.range.last > kNoWriteNumber) all.push_back(one);
      }
    }
    // What is before it in the log is durable when it is answered.
    Answered& last = all.emplace_back();
    last.batch.mutations = {RowMutation("log/last").Put("f", "q", "v")};
    last.result = host_.region().Apply(last.batch);
    EXPECT_OK(last.result.status());
    std::sort(all.begin(), all.end(), [](const Answered& a, const Answered& b) {
      return a.result.range.first < b.result.range.first;
    });
    return all;
  }

  // The rows after all of `written`, one after the other in that order, each of
  // which must answer as it did.
  static std::string TwinText(const std::vector<Answered>& written) {
    NaiveRegion twin(Schema(), {});
    for (const Answered& one : written) {
      const Timestamp timestamp = one.result.commit_timestamp;
      const NaiveAnswer answer = twin.Apply(one.batch, timestamp, timestamp);
      EXPECT_TRUE(answer.matched) << one.result.range.first;
      for (size_t i = 0; i < answer.rows.size(); ++i) {
        EXPECT_EQ(Text(one.result.rows[i]), Text(answer.rows[i]))
            << one.result.range.first;
      }
    }
    std::string text;
    for (const RowResult& row : twin.ScanRows(All(), kMaxTimestamp)) {
      absl::StrAppend(&text, Text(row), "\n");
    }
    return text;
  }

  // The region's records. Those of every region rise, without overlap.
  std::vector<Logged> ReadLog() {
    std::map<std::string, std::vector<Logged>> of_regions;
    absl::StatusOr<LogScan> scan = LogScan::Open(memory_, "host/wal");
    EXPECT_OK(scan);
    EXPECT_GT(scan->segments().size(), 1) << "the log never rolled";
    EXPECT_OK(scan->ForEach([&](const LogRecord& record, const RecordPlace&) {
      const LogEntry& entry = record.entry;
      if (IsLogMarker(entry.type)) return absl::OkStatus();
      std::vector<Logged>& before = of_regions[entry.region.ToString()];
      const WriteNumber last =
          before.empty() ? kNoWriteNumber : before.back().range.last;
      EXPECT_GT(entry.range.first, last);
      EXPECT_GE(entry.range.last, entry.range.first);
      before.push_back(
          {entry.type, entry.range, entry.commit_timestamp, entry.nonce});
      return absl::OkStatus();
    }));
    std::vector<Logged> most;
    for (auto& [region, logged] : of_regions) {
      if (logged.size() > most.size()) most = std::move(logged);
    }
    return most;
  }

  static RegionSchema Schema() { return TestHost::Schema({.max_versions = 3}); }
  static Scan All() {
    Scan scan;
    scan.options.max_versions = 3;
    return scan;
  }
  static Scan LoggedRows() {
    Scan scan = All();
    scan.start_row = "log/";
    scan.stop_row = "log0";
    return scan;
  }
  static HostOptions Options() {
    HostOptions options = GetParam().options;
    options.wal.segment_bytes = 64 << 10;
    options.wal.max_segments = 1000;  // Nobody must flush the idle region.
    return options;
  }

  ThreadPoolExecutor executor_{2, RealClock()};
  MemoryFileSystem memory_{executor_};
  TestHost host_{memory_, Schema(), {}, Options()};
  std::unique_ptr<Region> idle_;
};

TEST_P(WalOrderTest, ManyKindsOfWritesAreLoggedInNumberOrderAndReplayAlike) {
  const uint64_t seed = TestSeed();
  const std::vector<Answered> written = Write(seed);
  EXPECT_EQ(ScanText(host_.region(), All()), TwinText(written));
  const std::string before = ScanText(host_.region(), LoggedRows());
  memory_.Crash(seed);
  idle_.reset();
  host_.Close().IgnoreError();  // Its files are gone.

  std::vector<Logged> want;
  for (const Answered& one : written) {
    if (!one.logged()) continue;
    want.push_back({LogEntryType::kCells, one.result.range,
                    one.result.commit_timestamp, one.batch.nonce});
  }
  std::vector<Logged> got = ReadLog();
  got.erase(std::remove_if(got.begin(), got.end(),
                           [](const Logged& logged) {
                             return logged.type != LogEntryType::kCells;
                           }),
            got.end());
  EXPECT_EQ(got, want);

  ASSERT_OK(host_.Open());
  EXPECT_EQ(ScanText(host_.region(), LoggedRows()), before);
}

// Each variant of increments, mvcc and sequencer with each engine of the log.
std::vector<IncrementCombination> Combinations() {
  std::vector<IncrementCombination> combinations;
  for (const IncrementCombination& combination : IncrementCombinations()) {
    for (const WalVariant& wal : WalVariants()) {
      IncrementCombination& made = combinations.emplace_back(combination);
      absl::StrAppend(&made.name, "_", wal.name);
      made.options.components.open_wal = wal.open;
    }
  }
  return combinations;
}

INSTANTIATE_TEST_SUITE_P(Combinations, WalOrderTest,
                         testing::ValuesIn(Combinations()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace shale
