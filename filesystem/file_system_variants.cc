#include "shale/filesystem/file_system_variants.h"

#include <utility>

#include "shale/base/check.h"
#include "shale/base/clock.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/modelled_device.h"
#include "shale/filesystem/posix_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/filesystem/testing/temp_directory.h"

namespace shale {
namespace {

class MemoryVariant final : public FileSystemVariant {
 public:
  explicit MemoryVariant(Executor& executor) : files_(executor) {}
  FileSystem& files() override { return files_; }

 private:
  MemoryFileSystem files_;
};

class PosixVariant final : public FileSystemVariant {
 public:
  explicit PosixVariant(Executor& executor) {
    auto files = PosixFileSystem::Open(
        directory_.path(), {.executor = executor, .clock = RealClock()});
    SHALE_CHECK_OK(files);
    files_ = *std::move(files);
  }
  FileSystem& files() override { return *files_; }

 private:
  TempDirectory directory_;
  std::unique_ptr<PosixFileSystem> files_;
};

// Without a fault.
class FaultyVariant final : public FileSystemVariant {
 public:
  explicit FaultyVariant(Executor& executor)
      : memory_(executor), files_(memory_, executor) {}
  FileSystem& files() override { return files_; }

 private:
  MemoryFileSystem memory_;
  FaultyFileSystem files_;
};

class ModelledVariant final : public FileSystemVariant {
 public:
  explicit ModelledVariant(Executor& executor)
      : memory_(executor),
        files_(memory_, RealClock(), executor,
               {.link_latency_out = absl::Microseconds(5),
                .link_latency_back = absl::Microseconds(5),
                .jitter = 0.5}) {}
  FileSystem& files() override { return files_; }

 private:
  MemoryFileSystem memory_;
  ModelledDeviceFileSystem files_;
};

template <typename Variant>
FileSystemVariantFactory Factory(std::string name) {
  return {std::move(name), [](Executor& executor) {
            return std::make_unique<Variant>(executor);
          }};
}

}  // namespace

std::vector<FileSystemVariantFactory> AllFileSystemVariants() {
  return {Factory<MemoryVariant>("Memory"), Factory<PosixVariant>("Posix"),
          Factory<FaultyVariant>("Faulty"),
          Factory<ModelledVariant>("Modelled")};
}

std::string VariantName(
    const testing::TestParamInfo<FileSystemVariantFactory>& info) {
  return info.param.name;
}

}  // namespace shale
