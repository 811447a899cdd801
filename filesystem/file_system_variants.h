// The file systems that the contract tests run over.
#ifndef SHALE_FILESYSTEM_FILE_SYSTEM_VARIANTS_H_
#define SHALE_FILESYSTEM_FILE_SYSTEM_VARIANTS_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "shale/base/executor.h"
#include "shale/filesystem/file_system.h"

namespace shale {

// A file system with what it stands on; empty at first.
class FileSystemVariant {
 public:
  virtual ~FileSystemVariant() = default;
  virtual FileSystem& files() = 0;
};

struct FileSystemVariantFactory {
  std::string name;
  std::function<std::unique_ptr<FileSystemVariant>(Executor&)> make;
};

std::vector<FileSystemVariantFactory> AllFileSystemVariants();

// "Memory" of the factory's name; for INSTANTIATE_TEST_SUITE_P.
std::string VariantName(
    const testing::TestParamInfo<FileSystemVariantFactory>& info);

}  // namespace shale

#endif  // SHALE_FILESYSTEM_FILE_SYSTEM_VARIANTS_H_
