#ifndef SHALE_FILESYSTEM_MODELLED_READ_FILE_H_
#define SHALE_FILESYSTEM_MODELLED_READ_FILE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "shale/base/executor.h"
#include "shale/filesystem/device_model.h"
#include "shale/filesystem/read_file.h"
#include "shale/filesystem/task_group.h"

namespace shale {

// For ModelledDeviceFileSystem: a file whose reads end when a model says so.
class ModelledReadFile final : public ReadFile {
 public:
  // `model` and `executor` outlive the file.
  ModelledReadFile(DeviceModel& model, Executor& executor,
                   std::unique_ptr<ReadFile> base);

  uint64_t size() const override { return base_->size(); }
  void Read(FileExtent extent, ReadCallback done) override;
  void ReadMany(absl::Span<const FileExtent> extents,
                ReadManyCallback done) override;
  absl::StatusOr<std::string> ReadNow(FileExtent extent) override;

 private:
  // How much of an extent there is, going by the size.
  int64_t BytesOf(FileExtent extent) const;

  DeviceModel& model_;
  TaskGroup tasks_;
  std::unique_ptr<ReadFile> base_;  // Goes first, as its callbacks add tasks.
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_MODELLED_READ_FILE_H_
