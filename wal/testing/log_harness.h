// A log in a file system of its own, for tests.
#ifndef SHALE_WAL_TESTING_LOG_HARNESS_H_
#define SHALE_WAL_TESTING_LOG_HARNESS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/metrics.h"
#include "shale/base/testing/capturing_log_sink.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/base/uuid.h"
#include "shale/cell/log_position.h"
#include "shale/filesystem/lease.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/wal/log_entry.h"
#include "shale/wal/recovery_sink.h"
#include "shale/wal/testing/hooked_file_system.h"
#include "shale/wal/wal.h"
#include "shale/wal/wal_options.h"
#include "shale/wal/wal_variants.h"

namespace shale {

// Region number `n` of a test.
Uuid TestRegion(int n);

// An entry of region `region` with cells of `families`.
LogEntry TestEntry(absl::string_view payload, int region = 1,
                   uint64_t families = 1);

// Keeps what is replayed.
class CollectingSink final : public RecoverySink {
 public:
  bool Needs(const LogRecord& record) override {
    return needs == nullptr || needs(record);
  }
  absl::Status Replay(const LogRecord& record) override {
    if (absl::Status status = replay ? replay(record) : absl::OkStatus();
        !status.ok()) {
      return status;
    }
    payloads.emplace_back(record.entry.payload);
    positions.push_back(record.position);
    return absl::OkStatus();
  }

  // Optional; by default everything is needed, and replayed without an error.
  std::function<bool(const LogRecord&)> needs;
  std::function<absl::Status(const LogRecord&)> replay;

  std::vector<std::string> payloads;
  std::vector<LogPosition> positions;
};

// A log over a file system in memory. Single-threaded but for the log itself,
// unless a method says otherwise.
class LogHarness {
 public:
  explicit LogHarness(const WalVariant& variant, Clock& clock = RealClock());
  ~LogHarness();

  // Opens the log under a new lease, as the first or the next owner.
  absl::Status Open(RecoverySink& sink);
  absl::Status OpenWith(const OwnerToken& token, RecoverySink& sink);
  // The same, and keeps what is replayed in replayed().
  absl::Status Open();
  // Closes the log and gives up the lease; does nothing if it isn't open.
  absl::Status Close();
  // Ends the log without closing it, as if the process had died.
  void Kill();
  // The machine dies and comes back: what was not synced may be lost.
  void Crash(uint64_t seed);

  // Blocking calls of the open log. Thread-safe.
  absl::StatusOr<LogPosition> Append(const LogEntry& entry);
  absl::Status Sync(LogPosition position, SyncLevel level = SyncLevel::kData);
  // Appends an entry of region 1 and waits until it is durable.
  absl::Status Write(absl::string_view payload);
  absl::Status Roll();

  Wal& wal() { return *wal_; }
  const CollectingSink& replayed() const { return replayed_; }
  const RecoveryReport& report() const { return report_; }
  int64_t CounterValue(absl::string_view name);

  // The names of the segment files, by id, and their bytes.
  std::vector<std::string> Segments();
  std::string ReadBytes(absl::string_view name);
  // All of them, to compare before and after, or to put back.
  std::map<std::string, std::string> Snapshot();
  void Restore(const std::map<std::string, std::string>& snapshot);
  // Puts a file with these bytes in the place of `name`, durably.
  void WriteBytes(absl::string_view name, absl::string_view bytes);
  void RemoveFile(absl::string_view name);

  static constexpr char kDirectory[] = "host/wal";

  WalOptions options;
  CapturingLogSink log;
  // What the log uses; it stands on faulty(), and that on a memory file system.
  HookedFileSystem& files() { return hooked_; }
  FaultyFileSystem& faulty() { return faulty_; }

 private:
  absl::Status Acquire();

  const WalVariant& variant_;
  Clock& clock_;
  ThreadPoolExecutor executor_;
  MemoryFileSystem memory_;
  FaultyFileSystem faulty_;
  HookedFileSystem hooked_;
  MetricsRegistry metrics_;
  CollectingSink replayed_;
  RecoveryReport report_;
  std::unique_ptr<Lease> lease_;
  std::unique_ptr<Wal> wal_;
};

// Names an instance of a test parameterized by engine.
std::string VariantName(const testing::TestParamInfo<const WalVariant*>& info);
// All engines, for INSTANTIATE_TEST_SUITE_P.
std::vector<const WalVariant*> AllVariants();

}  // namespace shale

#endif  // SHALE_WAL_TESTING_LOG_HARNESS_H_
