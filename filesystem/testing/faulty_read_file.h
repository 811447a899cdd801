#ifndef SHALE_FILESYSTEM_TESTING_FAULTY_READ_FILE_H_
#define SHALE_FILESYSTEM_TESTING_FAULTY_READ_FILE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "shale/base/executor.h"
#include "shale/filesystem/read_file.h"
#include "shale/filesystem/task_group.h"
#include "shale/filesystem/testing/fault_plan.h"

namespace shale {

// For FaultyFileSystem: a file whose reads a plan judges.
class FaultyReadFile final : public ReadFile {
 public:
  // `plan` and `executor` outlive the file.
  FaultyReadFile(FaultPlan& plan, Executor& executor, std::string name,
                 std::unique_ptr<ReadFile> base);
  ~FaultyReadFile() override;

  uint64_t size() const override { return base_->size(); }
  void Read(FileExtent extent, ReadCallback done) override;
  void ReadMany(absl::Span<const FileExtent> extents,
                ReadManyCallback done) override;
  absl::StatusOr<std::string> ReadNow(FileExtent extent) override;

 private:
  // Calls start(done), now or when released, unless the read fails.
  template <typename Done, typename Start>
  void Dispatch(Done done, Start start);

  FaultPlan& plan_;
  const std::string name_;
  TaskGroup tasks_;
  std::unique_ptr<ReadFile> base_;  // Goes first, as it waits for its reads.
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_TESTING_FAULTY_READ_FILE_H_
