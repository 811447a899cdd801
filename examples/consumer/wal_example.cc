// The write-ahead log by itself, with payloads that only this program knows:
// appends two entries, syncs them, opens the log again and reads them back.
#include <cstdint>
#include <iostream>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/base/completion.h"
#include "shale/base/log_sink.h"
#include "shale/base/metrics.h"
#include "shale/base/status_macros.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/base/uuid.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/posix_file_system.h"
#include "shale/wal/open_wal.h"
#include "shale/wal/recovery_sink.h"
#include "shale/wal/wal.h"

namespace {

// Prints every entry that recovery finds.
class Printer final : public shale::RecoverySink {
 public:
  bool Needs(const shale::LogRecord&) override { return true; }
  absl::Status Replay(const shale::LogRecord& record) override {
    std::cout << record.entry.range.first << " " << record.entry.payload
              << "\n";
    return absl::OkStatus();
  }
};

absl::Status Append(shale::Wal& wal, uint64_t number,
                    absl::string_view payload) {
  shale::LogEntry entry;
  entry.region = shale::Uuid::Generate();
  entry.range = {{number}, {number}};
  entry.families = 1;
  entry.payload = payload;
  shale::Waiter<absl::Status> granted;
  wal.Reserve(payload.size(), absl::InfiniteDuration(), granted.callback());
  SHALE_RETURN_IF_ERROR(granted.Wait());
  return wal.Append(entry, payload.size()).status();
}

// Opens the log in `directory`, which prints what it holds.
absl::Status Run(absl::string_view directory, bool append) {
  shale::Clock& clock = shale::RealClock();
  shale::ThreadPoolExecutor executor(/*threads=*/4, clock);
  shale::MetricsRegistry metrics;
  shale::NullLogSink messages;
  SHALE_ASSIGN_OR_RETURN(
      auto files, shale::PosixFileSystem::Open(directory, {executor, clock}));
  SHALE_ASSIGN_OR_RETURN(auto lease,
                         shale::AcquireLease(*files, "log", "wal_example"));
  Printer printer;
  shale::RecoveryReport report;
  SHALE_ASSIGN_OR_RETURN(
      auto wal, shale::OpenWal({}, {*files, clock, executor, metrics, messages},
                               "log", lease->token(), printer, &report));
  if (append) {
    SHALE_RETURN_IF_ERROR(Append(*wal, 1, "first"));
    SHALE_RETURN_IF_ERROR(Append(*wal, 2, "second"));
    shale::Waiter<absl::Status> synced;
    wal->Sync(wal->appended(), shale::SyncLevel::kData, synced.callback());
    SHALE_RETURN_IF_ERROR(synced.Wait());
  }
  return wal->Close();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: wal_example DIRECTORY\n";
    return 2;
  }
  absl::Status status = Run(argv[1], /*append=*/true);
  if (status.ok()) status = Run(argv[1], /*append=*/false);
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
