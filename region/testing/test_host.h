#ifndef SHALE_REGION_TESTING_TEST_HOST_H_
#define SHALE_REGION_TESTING_TEST_HOST_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/base/clock.h"
#include "shale/base/log_sink.h"
#include "shale/base/metrics.h"
#include "shale/base/testing/capturing_log_sink.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/region/region_host.h"

namespace shale {

// A host with one region "r" on a file system in memory, for tests of regions.
// Not thread-safe but for the region.
class TestHost {
 public:
  // A family "f" with these rules, then "g" with the default ones.
  static RegionSchema Schema(const RetentionRules& rules = {});

  explicit TestHost(RegionSchema schema = Schema(),
                    RegionOptions region_options = {},
                    HostOptions host_options = {});
  // On `files` and `clock`, which outlive this; not open yet.
  TestHost(FileSystem& files, RegionSchema schema, RegionOptions region_options,
           HostOptions host_options, Clock& clock = RealClock());
  ~TestHost();

  Region& region() { return *region_; }
  RegionHost& host() { return *host_; }
  FileSystem& files() { return files_; }
  CapturingLogSink& log() { return log_; }
  MetricsRegistry& metrics() { return metrics_; }

  // Opens the host, and the region if it isn't there creates it first.
  absl::Status Open();
  // Region and host, in order.
  absl::Status Close();
  // Both; failures end the test.
  void Reopen();
  // The region alone.
  void ReopenRegion();

 private:
  const RegionSchema schema_;
  const RegionOptions region_options_;
  const HostOptions host_options_;
  Clock& clock_;
  ThreadPoolExecutor executor_;
  ThreadPoolExecutor background_;
  ThreadPoolExecutor readers_;
  MetricsRegistry metrics_;
  CapturingLogSink log_;
  std::unique_ptr<MemoryFileSystem> memory_;
  FileSystem& files_;
  std::unique_ptr<RegionHost> host_;
  std::unique_ptr<Region> region_;
};

// "r/f:q@5 v" and so on, cells of one result separated by spaces; values as
// they are. With `timestamps` false the "@5" is left out.
std::string Text(const RowResult& row, bool timestamps = true);

// Every row of a scan as Text, one a line; an error as its text.
std::string ScanText(const Region& region, const Scan& scan = {},
                     bool timestamps = true);
// The same of one row.
std::string ReadText(const Region& region, absl::string_view row,
                     const ReadOptions& options = {}, bool timestamps = true);

}  // namespace shale

#endif  // SHALE_REGION_TESTING_TEST_HOST_H_
