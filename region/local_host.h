#ifndef SHALE_REGION_LOCAL_HOST_H_
#define SHALE_REGION_LOCAL_HOST_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/log_sink.h"
#include "shale/base/metrics.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/posix_file_system.h"
#include "shale/region/region_host.h"

namespace shale {

// A RegionHost on a local directory, with the posix file system, the real clock
// and a thread pool of its own: all that most users need.
//
//   SHALE_ASSIGN_OR_RETURN(auto local, LocalHost::Open("/data/ucd", {}));
//   SHALE_RETURN_IF_ERROR(local->host().CreateRegion(schema));
//   SHALE_ASSIGN_OR_RETURN(auto region, local->host().OpenRegion("ucd"));
//   SHALE_RETURN_IF_ERROR(
//       region->Apply(RowMutation("row").Put("info", "name", "value")));
//
// Thread-safe. Outlives its regions.
class LocalHost {
 public:
  // `directory` is a path; it is made if options.create_if_missing. `log` may
  // be null (messages are dropped), else it outlives the host. Errors as of
  // RegionHost::Open, and NOT_FOUND if the directory isn't there and not to be
  // made.
  static absl::StatusOr<std::unique_ptr<LocalHost>> Open(
      absl::string_view directory, HostOptions options, LogSink* log = nullptr);

  RegionHost& host() { return *host_; }
  MetricsRegistry& metrics() { return metrics_; }
  FileSystem& files() { return *files_; }

 private:
  LocalHost() = default;

  NullLogSink null_log_;
  MetricsRegistry metrics_;
  std::unique_ptr<ThreadPoolExecutor> executor_;
  std::unique_ptr<ThreadPoolExecutor> background_;
  std::unique_ptr<ThreadPoolExecutor> readers_;
  std::unique_ptr<FileSystem> files_;
  std::unique_ptr<RegionHost> host_;
};

}  // namespace shale

#endif  // SHALE_REGION_LOCAL_HOST_H_
