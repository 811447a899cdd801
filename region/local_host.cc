#include "shale/region/local_host.h"

#include <filesystem>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/clock.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"

namespace shale {
namespace {

// Few: they run callbacks, timers, flushes and the reads of some commits.
constexpr int kThreads = 4;
constexpr int kBackgroundThreads = 2;
constexpr int kReaderThreads = 2;

}  // namespace

absl::StatusOr<std::unique_ptr<LocalHost>> LocalHost::Open(
    absl::string_view directory, HostOptions options, LogSink* log) {
  auto local = std::unique_ptr<LocalHost>(new LocalHost);
  local->executor_ =
      std::make_unique<ThreadPoolExecutor>(kThreads, RealClock());
  local->background_ =
      std::make_unique<ThreadPoolExecutor>(kBackgroundThreads, RealClock());
  local->readers_ =
      std::make_unique<ThreadPoolExecutor>(kReaderThreads, RealClock());
  // A mistyped directory is NOT_FOUND and is not made: reading never makes one.
  const bool make = options.create_if_missing && !options.read_only;
  if (!make && !std::filesystem::is_directory(std::string(directory))) {
    return absl::NotFoundError(absl::StrCat(directory, ": no such directory"));
  }
  const PosixFileSystemOptions files{*local->executor_, RealClock(),
                                     options.read_only};
  SHALE_ASSIGN_OR_RETURN(local->files_,
                         PosixFileSystem::Open(directory, files));
  const HostEnvironment environment{
      *local->files_,
      RealClock(),
      *local->executor_,
      *local->background_,
      *local->readers_,
      local->metrics_,
      log != nullptr ? *log : static_cast<LogSink&>(local->null_log_)};
  absl::StatusOr<std::unique_ptr<RegionHost>> host =
      RegionHost::Open(environment, options);
  if (!host.ok()) return Annotate(host.status(), directory);
  local->host_ = *std::move(host);
  return local;
}

}  // namespace shale
