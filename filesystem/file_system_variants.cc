#include "shale/filesystem/file_system_variants.h"

#include "shale/filesystem/memory_file_system.h"

namespace shale {
namespace {

class MemoryVariant final : public FileSystemVariant {
 public:
  explicit MemoryVariant(Executor& executor) : files_(executor) {}
  FileSystem& files() override { return files_; }

 private:
  MemoryFileSystem files_;
};

template <typename Variant>
FileSystemVariantFactory Factory(std::string name) {
  return {std::move(name), [](Executor& executor) {
            return std::make_unique<Variant>(executor);
          }};
}

}  // namespace

std::vector<FileSystemVariantFactory> AllFileSystemVariants() {
  return {Factory<MemoryVariant>("Memory")};
}

std::string VariantName(
    const testing::TestParamInfo<FileSystemVariantFactory>& info) {
  return info.param.name;
}

}  // namespace shale
