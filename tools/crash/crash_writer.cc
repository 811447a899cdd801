// Writes to a region until somebody kills it: the victim of crash_test.
//
// usage: crash_writer DIRECTORY LIFE
//
// Eight threads write one after the other, each telling stdout of every write
// that was acknowledged, while flushes, compactions and log rolls go on.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/region/local_host.h"
#include "shale/region/region.h"
#include "shale/tools/crash/crash_rows.h"

namespace shale {
namespace {

// Small, so that a hundred writes see them all.
constexpr int64_t kFlushBytes = 64 << 10;
constexpr int64_t kSegmentBytes = 64 << 10;
constexpr int kWritesPerFlush = 5;  // Of the thread that asks for it.
constexpr int kWritesPerCompaction = 8;

std::unique_ptr<LocalHost> OpenHost(const std::string& directory) {
  HostOptions options;
  options.owner = absl::StrCat("crash_writer, pid ", getpid());
  options.wal.segment_bytes = kSegmentBytes;
  absl::StatusOr<std::unique_ptr<LocalHost>> host =
      LocalHost::Open(directory, std::move(options));
  SHALE_CHECK_OK(host);
  return *std::move(host);
}

std::unique_ptr<Region> OpenRegion(RegionHost& host) {
  if (host.RegionNames().empty()) {
    RegionSchema schema;
    schema.name = kCrashRegion;
    schema.families.emplace_back().name = kCrashFamily;
    SHALE_CHECK_OK(host.CreateRegion(schema));
  }
  RegionOptions options;
  options.flush_bytes = kFlushBytes;
  absl::StatusOr<std::unique_ptr<Region>> region =
      host.OpenRegion(kCrashRegion, options);
  SHALE_CHECK_OK(region);
  return *std::move(region);
}

void WriteForever(Region& region, int life, int thread) {
  for (uint32_t count = 1;; ++count) {
    const std::string value = CrashValue(life, thread, count);
    MutationBatch batch;
    batch.atomic = true;
    batch.mutations.push_back(RowMutation(CrashRow(life, thread, count))
                                  .Put(kCrashFamily, "a", value)
                                  .Put(kCrashFamily, "b", value));
    batch.mutations.push_back(
        RowMutation(CrashLastRow(life, thread))
            .Put(kCrashFamily, "count", absl::StrCat(count)));
    SHALE_CHECK_OK(region.Apply(std::move(batch)).status());
    const CrashAck ack{static_cast<uint32_t>(thread), count};
    SHALE_CHECK(write(STDOUT_FILENO, &ack, sizeof(ack)) == sizeof(ack));
    if (thread == 0 && count % kWritesPerFlush == 0) {
      SHALE_CHECK_OK(region.Flush());
    }
    if (thread == 1 && count % kWritesPerCompaction == 0) {
      SHALE_CHECK_OK(region.Compact());
    }
  }
}

void Run(const std::string& directory, int life) {
  const std::unique_ptr<LocalHost> host = OpenHost(directory);
  const std::unique_ptr<Region> region = OpenRegion(host->host());
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kCrashThreads; ++thread) {
    threads.emplace_back(
        [&region, life, thread] { WriteForever(*region, life, thread); });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace shale

int main(int argc, char** argv) {
  int life = 0;
  if (argc != 3 || !absl::SimpleAtoi(argv[2], &life)) {
    std::fprintf(stderr, "usage: crash_writer DIRECTORY LIFE\n");
    return 2;
  }
  shale::Run(argv[1], life);
}
