#ifndef SHALE_TOOLS_BENCHMARK_DEVICE_H_
#define SHALE_TOOLS_BENCHMARK_DEVICE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/device_model.h"
#include "shale/filesystem/file_system.h"

namespace shale {

// What a benchmark's files lie on.
struct DeviceSpec {
  enum class Kind {
    kMemory,    // As fast as memory: what is left is what the code costs.
    kModelled,  // As slow as `model` says, on any machine.
    kReal,      // A directory of this machine.
  };

  // "memory", "modelled", "modelled:DIRECTORY", "real" or "real:DIRECTORY".
  // INVALID_ARGUMENT.
  static absl::StatusOr<DeviceSpec> Parse(absl::string_view text);

  // For people: what to print beside a result.
  std::string Describe() const;

  Kind kind = Kind::kModelled;
  // Under which each run makes a directory of its own. Empty: memory if
  // modelled, the working directory if real.
  std::string directory;
  ModelledDeviceOptions model;
};

// An empty device with the executor that runs its callbacks; what is on it goes
// with it. Not thread-safe but for the file system and the executor.
class Device {
 public:
  // `clock` outlives it. Errors: those of making the directory.
  static absl::StatusOr<std::unique_ptr<Device>> Open(const DeviceSpec& spec,
                                                      Clock& clock);
  ~Device();

  FileSystem& files() { return modelled_ != nullptr ? *modelled_ : *base_; }
  Executor& executor() { return *executor_; }

 private:
  Device() = default;

  std::string directory_;  // To be removed; empty: none.
  std::unique_ptr<ThreadPoolExecutor> executor_;
  std::unique_ptr<FileSystem> base_;
  std::unique_ptr<FileSystem> modelled_;  // Over base_, or null.
};

}  // namespace shale

#endif  // SHALE_TOOLS_BENCHMARK_DEVICE_H_
