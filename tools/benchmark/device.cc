#include "shale/tools/benchmark/device.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "shale/base/status_macros.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/modelled_device.h"
#include "shale/filesystem/posix_file_system.h"

namespace shale {
namespace {

// As many as a LocalHost has.
constexpr int kThreads = 4;

absl::StatusOr<std::string> MakeDirectory(const std::string& parent) {
  std::string path =
      absl::StrCat(parent.empty() ? "." : parent, "/shale_benchmark_XXXXXX");
  if (mkdtemp(path.data()) == nullptr) {
    return absl::ErrnoToStatus(errno, absl::StrCat(path, ": can't be made"));
  }
  return path;
}

}  // namespace

absl::StatusOr<DeviceSpec> DeviceSpec::Parse(absl::string_view text) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits(':', 1));
  DeviceSpec spec;
  spec.directory = std::string(parts.second);
  if (parts.first == "modelled") {
    spec.kind = Kind::kModelled;
  } else if (parts.first == "real") {
    spec.kind = Kind::kReal;
  } else if (text == "memory") {
    spec.kind = Kind::kMemory;
  } else {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", text,
                     "\" is neither memory, modelled[:DIRECTORY] nor "
                     "real[:DIRECTORY]"));
  }
  return spec;
}

std::string DeviceSpec::Describe() const {
  const std::string where =
      directory.empty() ? "" : absl::StrCat(" in ", directory);
  switch (kind) {
    case Kind::kMemory:
      return "memory";
    case Kind::kReal:
      return absl::StrCat("real", where);
    case Kind::kModelled:
      return absl::StrCat(
          "modelled", where, ", ", absl::FormatDuration(model.sync_latency),
          " per sync, ", model.max_syncs_in_flight, " in flight");
  }
  return "";
}

absl::StatusOr<std::unique_ptr<Device>> Device::Open(const DeviceSpec& spec,
                                                     Clock& clock) {
  auto device = std::unique_ptr<Device>(new Device);
  device->executor_ = std::make_unique<ThreadPoolExecutor>(kThreads, clock);
  if (spec.kind == DeviceSpec::Kind::kReal || !spec.directory.empty()) {
    SHALE_ASSIGN_OR_RETURN(device->directory_, MakeDirectory(spec.directory));
    const PosixFileSystemOptions options{*device->executor_, clock};
    SHALE_ASSIGN_OR_RETURN(device->base_,
                           PosixFileSystem::Open(device->directory_, options));
  } else {
    device->base_ = std::make_unique<MemoryFileSystem>(*device->executor_);
  }
  if (spec.kind == DeviceSpec::Kind::kModelled) {
    device->modelled_ = std::make_unique<ModelledDeviceFileSystem>(
        *device->base_, clock, *device->executor_, spec.model);
  }
  return device;
}

Device::~Device() {
  modelled_.reset();
  base_.reset();
  executor_.reset();
  if (directory_.empty()) return;
  // What can't be removed stays, and says by its name what it was.
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

}  // namespace shale
