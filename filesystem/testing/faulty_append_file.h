#ifndef SHALE_FILESYSTEM_TESTING_FAULTY_APPEND_FILE_H_
#define SHALE_FILESYSTEM_TESTING_FAULTY_APPEND_FILE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/executor.h"
#include "shale/filesystem/append_file.h"
#include "shale/filesystem/testing/fault_plan.h"

namespace shale {

// For FaultyFileSystem: a file whose calls a plan judges when they begin. A
// held append keeps back all later calls, a held sync only their callbacks.
class FaultyAppendFile final : public AppendFile {
 public:
  // `plan` and `executor` outlive the file.
  FaultyAppendFile(FaultPlan& plan, Executor& executor, std::string name,
                   std::unique_ptr<AppendFile> base);
  ~FaultyAppendFile() override;

  void Append(absl::string_view bytes, AppendCallback done) override;
  void Sync(SyncMode mode, StatusCallback done) override;
  absl::StatusOr<uint64_t> AppendNow(absl::string_view bytes) override;
  absl::Status SyncNow(SyncMode mode) override;
  uint64_t accepted() const override;
  uint64_t durable() const override;
  void Finish(StatusCallback done) override;
  void Abandon() override;

 private:
  class Calls;

  // Shared with callbacks, one of which may destroy this object.
  const std::shared_ptr<Calls> calls_;
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_TESTING_FAULTY_APPEND_FILE_H_
