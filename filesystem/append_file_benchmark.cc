// How long it takes to make one small record durable, and what of that is ours.
//
// Threads either have a file each or share one; the modelled device stands for
// the cost of the pipeline and of the clock's sleeps above 350 us.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/notification.h"
#include "benchmark/benchmark.h"
#include "shale/base/check.h"
#include "shale/base/clock.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/append_file.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/lease.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/modelled_device.h"
#include "shale/filesystem/posix_file_system.h"
#include "shale/filesystem/testing/temp_directory.h"

namespace shale {
namespace {

const std::string& Record() {
  static const std::string& record = *new std::string(557, 'r');
  return record;
}

// The three file systems, and `threads` new logs on one of them.
class Logs {
 public:
  Logs(absl::string_view kind, int count) {
    auto posix = PosixFileSystem::Open(
        directory_.path(), {.executor = executor_, .clock = RealClock()});
    SHALE_CHECK_OK(posix);
    posix_ = *std::move(posix);
    FileSystem& files = kind == "posix"    ? static_cast<FileSystem&>(*posix_)
                        : kind == "memory" ? static_cast<FileSystem&>(memory_)
                                           : modelled_;
    auto lease = AcquireLease(files, "bench", "the benchmark");
    SHALE_CHECK_OK(lease);
    lease_ = *std::move(lease);
    for (int i = 0; i < count; ++i) {
      auto log = CreateFile(files, absl::StrCat("bench/", i), FileKind::kLog,
                            lease_->token());
      SHALE_CHECK_OK(log);
      logs_.push_back(*std::move(log));
    }
  }

  AppendFile& log(int i) { return *logs_[i]; }

 private:
  TempDirectory directory_;
  ThreadPoolExecutor executor_{2, RealClock()};
  MemoryFileSystem memory_{executor_};
  ModelledDeviceFileSystem modelled_{memory_, RealClock(), executor_};
  std::unique_ptr<PosixFileSystem> posix_;
  std::unique_ptr<Lease> lease_;
  std::vector<std::unique_ptr<AppendFile>> logs_;
};

// A file for each thread.
void BM_AppendAndSyncNow(benchmark::State& state, const char* kind) {
  static Logs* logs = nullptr;
  if (state.thread_index() == 0) logs = new Logs(kind, state.threads());
  for (auto unused : state) {
    AppendFile& log = logs->log(state.thread_index());
    SHALE_CHECK_OK(log.AppendNow(Record()));
    SHALE_CHECK_OK(log.SyncNow(SyncMode::kData));
  }
  if (state.thread_index() == 0) {
    delete logs;
    logs = nullptr;
  }
}
BENCHMARK_CAPTURE(BM_AppendAndSyncNow, memory, "memory")->UseRealTime();
BENCHMARK_CAPTURE(BM_AppendAndSyncNow, modelled, "modelled")
    ->ThreadRange(1, 4)
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_AppendAndSyncNow, posix, "posix")
    ->ThreadRange(1, 4)
    ->UseRealTime();

// One thread appends records that one sync makes durable; nothing else waits.
void BM_AsyncAppendsAndSync(benchmark::State& state, const char* kind) {
  Logs logs(kind, 1);
  for (auto unused : state) {
    for (int64_t i = 0; i < state.range(0); ++i) {
      logs.log(0).Append(Record(), [](absl::StatusOr<uint64_t>) {});
    }
    absl::Notification synced;
    logs.log(0).Sync(SyncMode::kData, [&synced](absl::Status status) {
      SHALE_CHECK_OK(status);
      synced.Notify();
    });
    synced.WaitForNotification();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK_CAPTURE(BM_AsyncAppendsAndSync, memory, "memory")
    ->Range(1, 64)
    ->UseRealTime();
BENCHMARK_CAPTURE(BM_AsyncAppendsAndSync, posix, "posix")
    ->Range(1, 64)
    ->UseRealTime();

}  // namespace
}  // namespace shale
