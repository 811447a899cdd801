// kill -9 at random moments: what was acknowledged is there after every reopen.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/region/local_host.h"
#include "shale/region/region.h"
#include "shale/tools/crash/crash_rows.h"

extern char** environ;

namespace shale {
namespace {

constexpr absl::Duration kLongestOpen = absl::Seconds(2);
constexpr absl::Duration kLongestWait = absl::Seconds(20);
constexpr uint64_t kMostAcks = 150;

constexpr int kRoundsOfADirectory = 50;

int Rounds() { return std::getenv("SHALE_SOAK") == nullptr ? 20 : 200; }

// How many writes of each thread.
using Counts = std::array<uint32_t, kCrashThreads>;

// A running crash_writer, and what it says was acknowledged.
class Victim {
 public:
  Victim(const std::string& directory, int life) {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::string program = "tools/crash/crash_writer";
    std::string arguments[] = {directory, absl::StrCat(life)};
    char* argv[] = {program.data(), arguments[0].data(), arguments[1].data(),
                    nullptr};
    EXPECT_EQ(
        posix_spawn(&pid_, program.c_str(), &actions, nullptr, argv, environ),
        0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    pipe_ = ends[0];
  }
  ~Victim() { close(pipe_); }

  // Lets it run until it has told of `acks` more writes, or for so long.
  void Watch(uint64_t acks, absl::Duration at_most) {
    WatchUntil([&] { return acks-- == 0; }, at_most);
  }

  // Lets it run until each thread has told of a write; false if one hasn't.
  bool AwaitAllThreads(absl::Duration at_most) {
    const auto all = [&] {
      return absl::c_all_of(acked_, [](uint32_t count) { return count > 0; });
    };
    WatchUntil(all, at_most);
    return all();
  }

  // Kills it, if it still runs, and reads what it told to the end.
  Counts Kill() {
    kill(pid_, SIGKILL);
    int how = 0;
    EXPECT_EQ(waitpid(pid_, &how, 0), pid_);
    EXPECT_TRUE(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL)
        << "the writer failed by itself, wait status " << how;
    while (!ended_) Read(absl::InfiniteDuration());
    return acked_;
  }

 private:
  // Waits for one message; false after `at_most` without any.
  bool Read(absl::Duration at_most) {
    pollfd waited{pipe_, POLLIN, 0};
    const int timeout_ms =
        at_most == absl::InfiniteDuration()
            ? -1
            : static_cast<int>(absl::ToInt64Milliseconds(at_most)) + 1;
    if (poll(&waited, 1, timeout_ms) <= 0) return false;
    CrashAck ack;
    if (read(pipe_, &ack, sizeof(ack)) != sizeof(ack)) {
      ended_ = true;
      return false;
    }
    acked_[ack.thread] = ack.count;
    return true;
  }

  // Reads until `enough` holds, asked before each message.
  void WatchUntil(absl::FunctionRef<bool()> enough, absl::Duration at_most) {
    const absl::Duration deadline = RealClock().Monotonic() + at_most;
    while (!enough() && !ended_) {
      const absl::Duration left = deadline - RealClock().Monotonic();
      if (left <= absl::ZeroDuration() || !Read(left)) return;
    }
  }

  pid_t pid_ = 0;
  int pipe_ = -1;
  Counts acked_ = {};
  bool ended_ = false;
};

class CrashTest : public testing::Test {
 protected:
  void StartAnew() {
    std::string pattern = testing::TempDir() + "/crash.XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern + "/store";
    acked_.clear();
    shown_.clear();
  }

  // Has a victim write until each of its threads has told of a write, and then
  // of `acks` more of any, and kills it.
  void KillWriting(uint64_t acks) {
    SCOPED_TRACE(absl::StrCat("life ", lives_));
    Victim victim(directory_, lives_);
    EXPECT_TRUE(victim.AwaitAllThreads(kLongestWait)) << "not all write";
    victim.Watch(acks, kLongestWait);
    Bury(victim);
  }

  // Kills one at any moment since its start.
  void KillAfter(absl::Duration life) {
    SCOPED_TRACE(absl::StrCat("life ", lives_));
    Victim victim(directory_, lives_);
    victim.Watch(~uint64_t{0}, life);
    Bury(victim);
  }

  void Bury(Victim& victim) {
    const Counts acked = victim.Kill();
    for (const uint32_t count : acked) writes_ += count;
    acked_[lives_++] = acked;
  }

  // Opens the region, timed, and reads it whole.
  void Reopen() {
    const absl::Duration start = RealClock().Monotonic();
    HostOptions options;
    options.owner = "crash_test";
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<LocalHost> host,
                         LocalHost::Open(directory_, std::move(options)));
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Region> region,
                         host->host().OpenRegion(kCrashRegion));
    EXPECT_LT(RealClock().Monotonic() - start, kLongestOpen);
    ASSERT_NO_FATAL_FAILURE(ReadAll(*region));
    CheckFound();
    EXPECT_OK(region->Close());
  }

  // Notes what each row says of its thread's writes.
  void ReadAll(const Region& region) {
    found_.clear();
    last_.clear();
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<RegionScanner> scanner,
                         region.NewScanner(Scan()));
    while (true) {
      ASSERT_OK_AND_ASSIGN(const std::optional<RowResult> row, scanner->Next());
      if (!row.has_value()) return;
      const std::string thread = row->row.substr(0, row->row.size() - 6);
      uint32_t count = 0;
      if (const auto last = row->Value(kCrashFamily, "count")) {
        ASSERT_TRUE(absl::SimpleAtoi(*last, &count)) << row->row;
        last_[row->row] = count;
        continue;
      }
      // Rows of a thread come in their order, so a gap shows at once.
      ASSERT_TRUE(absl::SimpleAtoi(row->row.substr(thread.size()), &count));
      EXPECT_EQ(count, ++found_[thread]) << "before " << row->row;
      EXPECT_EQ(row->cells.size(), 2u) << "half of " << row->row;
      for (const Cell& cell : row->cells) {
        EXPECT_EQ(cell.value.substr(0, row->row.size() + 1), row->row + ":");
      }
    }
  }

  void CheckFound() {
    for (const auto& [life, acked] : acked_) {
      for (int thread = 0; thread < kCrashThreads; ++thread) {
        const std::string prefix = CrashThreadPrefix(life, thread);
        const uint32_t found = found_[prefix];
        // One write was on its way.
        EXPECT_GE(found, acked[thread]) << prefix << " lost what was durable";
        EXPECT_LE(found, acked[thread] + 1) << prefix << " has what never was";
        EXPECT_EQ(last_[CrashLastRow(life, thread)], found)
            << prefix << " has half of a batch";
        // What a reopen has shown stays, and nothing joins it.
        const auto [seen, first] = shown_.emplace(prefix, found);
        EXPECT_EQ(found, seen->second) << prefix << " changed later";
      }
    }
  }

  std::string directory_;
  int lives_ = 0;
  uint64_t writes_ = 0;
  std::map<int, Counts> acked_;            // By life.
  std::map<std::string, uint32_t> shown_;  // By thread's prefix.
  std::map<std::string, uint32_t> found_;  // At this reopen.
  std::map<std::string, uint32_t> last_;   // By row, at this reopen.
};

// Each round is a kill while all threads write, and a reopen. Between rounds
// there are more kills that no round counts and nobody but the next victim sees
// at first: of one that writes and of one that recovers from that.
TEST_F(CrashTest, EveryAcknowledgedWriteIsThereAfterKillNineAtRandomMoments) {
  Random random(TestSeed());
  for (int round = 0; round < Rounds(); ++round) {
    SCOPED_TRACE(absl::StrCat("round ", round));
    // Its rows are all read again by each reopen.
    if (round % kRoundsOfADirectory == 0) {
      ASSERT_NO_FATAL_FAILURE(StartAnew());
    }
    if (random.OneIn(4)) {
      KillWriting(random.Uniform(kMostAcks));
      KillAfter(absl::Microseconds(random.Uniform(60000)));
    }
    KillWriting(random.Uniform(kMostAcks));
    ASSERT_NO_FATAL_FAILURE(Reopen());
    if (HasFailure()) return;
  }
  RecordProperty("kills", lives_);
  RecordProperty("acknowledged_writes", absl::StrCat(writes_));
}

}  // namespace
}  // namespace shale
