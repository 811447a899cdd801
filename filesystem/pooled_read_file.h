#ifndef SHALE_FILESYSTEM_POOLED_READ_FILE_H_
#define SHALE_FILESYSTEM_POOLED_READ_FILE_H_

#include <cstdint>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "shale/base/executor.h"
#include "shale/filesystem/read_file.h"
#include "shale/filesystem/task_group.h"

namespace shale {

// A ReadFile made of a function that reads one extent and blocks. The
// asynchronous reads run on the executor.
class PooledReadFile final : public ReadFile {
 public:
  // Reads as ReadFile::ReadNow. Thread-safe.
  using Reader =
      absl::AnyInvocable<absl::StatusOr<std::string>(FileExtent) const>;

  // `executor` must outlive the file.
  PooledReadFile(Executor& executor, uint64_t size, Reader reader)
      : size_(size), reader_(std::move(reader)), tasks_(executor) {}

  uint64_t size() const override { return size_; }
  void Read(FileExtent extent, ReadCallback done) override;
  void ReadMany(absl::Span<const FileExtent> extents,
                ReadManyCallback done) override;
  absl::StatusOr<std::string> ReadNow(FileExtent extent) override {
    return reader_(extent);
  }

 private:
  const uint64_t size_;
  const Reader reader_;
  TaskGroup tasks_;  // Last, as its tasks use all of the above.
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_POOLED_READ_FILE_H_
