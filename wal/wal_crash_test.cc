// The machine dies at random moments: while the log is written, rolled and
// trimmed, while its file system fails, and again while it is recovered.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/filesystem/outcome.h"
#include "shale/filesystem/testing/fault_plan.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/wal/testing/log_harness.h"

namespace shale {
namespace {

// Lets the machine die before its nth operation, and some operations fail until
// then. Thread-safe.
class DoomedMachine {
 public:
  DoomedMachine(FaultyFileSystem& files, uint64_t seed)
      : files_(files), random_(seed) {}

  // From now on: dies after `operations`, of which one in `odds` fails.
  void Arm(int64_t operations, uint64_t odds) {
    absl::MutexLock lock(&mu_);
    left_ = operations;
    odds_ = odds;
    dead_ = false;
  }
  // Dies now, unless it is dead already.
  void Die() {
    absl::MutexLock lock(&mu_);
    DieLocked();
  }
  bool dead() const {
    absl::MutexLock lock(&mu_);
    return dead_;
  }

  absl::Status operator()(FileOp op, absl::string_view name) {
    absl::MutexLock lock(&mu_);
    if (dead_) return absl::OkStatus();  // The file system refuses by itself.
    if (left_-- == 0) DieLocked();
    if (odds_ != 0 && random_.OneIn(odds_) && op != FileOp::kFinish) {
      return FileError(FileOutcome::kIoError, "do", name, "EIO");
    }
    return absl::OkStatus();
  }

 private:
  void DieLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    if (!dead_) files_.Crash(random_.Next());
    dead_ = true;
  }

  FaultyFileSystem& files_;
  mutable absl::Mutex mu_;  // Order: mu_ -> locks of the file system.
  Random random_ ABSL_GUARDED_BY(mu_);
  int64_t left_ ABSL_GUARDED_BY(mu_) = -1;
  uint64_t odds_ ABSL_GUARDED_BY(mu_) = 0;
  bool dead_ ABSL_GUARDED_BY(mu_) = false;
};

// One region's life over several deaths.
class Life {
 public:
  Life(const WalVariant& variant, uint64_t seed)
      : random_(seed), log_(variant), machine_(log_.faulty(), seed + 1) {
    log_.options.segment_bytes = 64 << 10;
    log_.options.buffer_bytes = 128 << 10;
    log_.options.stall_retry = absl::Milliseconds(1);
  }

  void LiveAndDie() {
    Reopen();
    if (testing::Test::HasFatalFailure()) return;
    machine_.Arm(static_cast<int64_t>(random_.Uniform(80)),
                 random_.OneIn(3) ? 10 : 0);
    if (random_.OneIn(2)) InjectFault();
    const std::vector<uint64_t> seeds = {random_.Next(), random_.Next()};
    std::vector<std::thread> writers;
    for (const uint64_t seed : seeds) {
      writers.emplace_back([this, seed] { Write(Random(seed)); });
    }
    for (std::thread& writer : writers) writer.join();
    machine_.Die();
    log_.Kill();
    log_.faulty().faults().WithdrawAll();
  }

  // Recovers, dying in it up to twice, and checks what is left.
  void Reopen() {
    for (int attempt = 0;; ++attempt) {
      const bool may_die = attempt < 2;
      machine_.Arm(may_die ? static_cast<int64_t>(random_.Uniform(40)) : -1, 0);
      log_.files().SetHook(std::ref(machine_));
      const absl::Status opened = log_.Open();
      if (opened.ok()) break;
      ASSERT_TRUE(machine_.dead()) << opened;
      log_.Kill();
    }
    Check(log_.replayed().payloads);
  }

 private:
  // An operation fails that has, or has not, or has in part been done.
  void InjectFault() {
    using Effect = Fault::Effect;
    constexpr Effect kAppendEffects[] = {Effect::kNotApplied, Effect::kApplied,
                                         Effect::kShort, Effect::kTorn};
    FaultRule rule;
    if (random_.OneIn(2)) {
      rule.op = FileOp::kAppend;
      rule.fault.effect = kAppendEffects[random_.Uniform(4)];
    } else {
      rule.op = random_.OneIn(2) ? FileOp::kSync : FileOp::kCreate;
      rule.fault.effect = kAppendEffects[random_.Uniform(2)];
    }
    rule.nth = 1 + random_.Uniform(20);
    log_.faulty().faults().Inject(rule);
  }

  void Write(Random random) {
    for (int i = 0; i < 40 && !machine_.dead(); ++i) {
      if (random.OneIn(20) && !log_.Roll().ok()) return;
      if (random.OneIn(25) && !Flush()) return;
      LogPosition position;
      if (!Append(random.Uniform(8000), &position)) return;
      if (random.OneIn(3)) continue;  // ASYNC_WAL.
      if (!log_.Sync(position).ok()) return;
      Acknowledge(position);
    }
  }

  bool Append(size_t bytes, LogPosition* position) {
    absl::MutexLock lock(&mu_);
    const std::string payload =
        absl::StrCat(entries_.size(), ":", std::string(bytes, 'x'));
    const auto appended = log_.Append(TestEntry(payload));
    if (!appended.ok()) return false;
    *position = *appended;
    entries_.push_back(payload);
    positions_.push_back(*position);
    return true;
  }

  void Acknowledge(LogPosition position) {
    absl::MutexLock lock(&mu_);
    const auto end =
        std::upper_bound(positions_.begin(), positions_.end(), position);
    acknowledged_ =
        std::max(acknowledged_, static_cast<size_t>(end - positions_.begin()));
  }

  bool Flush() {
    absl::MutexLock flushing(&flush_mu_);
    LogPosition frozen;
    size_t count;
    {
      absl::MutexLock lock(&mu_);
      frozen = log_.wal().StartFlush(TestRegion(1), 1);
      count = entries_.size();
    }
    if (!log_.Sync(frozen).ok()) return false;
    Acknowledge(frozen);
    absl::MutexLock lock(&mu_);
    flushed_ = std::max(flushed_, count);  // The manifest is committed.
    log_.wal().FinishFlush(TestRegion(1), 1);
    return true;
  }

  // A piece of what was appended, without a gap: from nothing that is needed
  // missing at the front, to at least what was acknowledged.
  void Check(const std::vector<std::string>& replayed) {
    absl::MutexLock lock(&mu_);
    const auto begin =
        replayed.empty()
            ? entries_.begin() + static_cast<ptrdiff_t>(acknowledged_)
            : std::find(entries_.begin(), entries_.end(), replayed.front());
    const size_t first = static_cast<size_t>(begin - entries_.begin());
    ASSERT_LE(first, flushed_) << "a needed entry is missing at the front";
    ASSERT_LE(first + replayed.size(), entries_.size());
    ASSERT_GE(first + replayed.size(), acknowledged_)
        << "an acknowledged entry is missing";
    ASSERT_TRUE(std::equal(replayed.begin(), replayed.end(), begin))
        << "a gap, or another order";
    entries_.resize(first + replayed.size());
    // Positions are those of the new generation.
    positions_.assign(first, kLogStart);
    const auto& positions = log_.replayed().positions;
    positions_.insert(positions_.end(), positions.begin(), positions.end());
    acknowledged_ = entries_.size();  // Made durable by recovery.
  }

  Random random_;
  LogHarness log_;
  DoomedMachine machine_;

  absl::Mutex flush_mu_;  // Order: flush_mu_ -> mu_.
  // Held while appending, so that the order is known: mu_ -> locks of the log.
  absl::Mutex mu_;
  std::vector<std::string> entries_ ABSL_GUARDED_BY(mu_);
  std::vector<LogPosition> positions_ ABSL_GUARDED_BY(mu_);
  // How many of the entries were acknowledged, and are in store files.
  size_t acknowledged_ ABSL_GUARDED_BY(mu_) = 0;
  size_t flushed_ ABSL_GUARDED_BY(mu_) = 0;
};

class WalCrashTest : public testing::TestWithParam<const WalVariant*> {};

INSTANTIATE_TEST_SUITE_P(Engines, WalCrashTest,
                         testing::ValuesIn(AllVariants()), VariantName);

// B001, B019, B020: 400 deaths while writing, more while recovering.
TEST_P(WalCrashTest, AcknowledgedEntriesSurviveEveryDeath) {
  const uint64_t seed = TestSeed();
  const int lives = std::getenv("SHALE_SOAK") != nullptr ? 5000 : 100;
  for (int life = 0; life < lives; ++life) {
    SCOPED_TRACE(absl::StrCat("life ", life));
    Life one(*GetParam(), seed + static_cast<uint64_t>(life) * 1000);
    for (int death = 0; death < 4; ++death) {
      one.LiveAndDie();
      ASSERT_FALSE(HasFatalFailure());
    }
    one.Reopen();
    ASSERT_FALSE(HasFatalFailure());
  }
}

}  // namespace
}  // namespace shale
