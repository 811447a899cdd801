#ifndef SHALE_FILESYSTEM_MODELLED_APPEND_FILE_H_
#define SHALE_FILESYSTEM_MODELLED_APPEND_FILE_H_

#include <cstdint>
#include <memory>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "shale/base/executor.h"
#include "shale/filesystem/append_file.h"
#include "shale/filesystem/device_model.h"

namespace shale {

// For ModelledDeviceFileSystem: a file whose calls end when a model says so.
// The base does them at once, so accepted() and durable() run ahead of the
// answers.
class ModelledAppendFile final : public AppendFile {
 public:
  // `model` and `executor` outlive the file.
  ModelledAppendFile(DeviceModel& model, Executor& executor,
                     std::unique_ptr<AppendFile> base);
  ~ModelledAppendFile() override;

  void Append(absl::string_view bytes, AppendCallback done) override;
  void Sync(SyncMode mode, StatusCallback done) override;
  absl::StatusOr<uint64_t> AppendNow(absl::string_view bytes) override;
  absl::Status SyncNow(SyncMode mode) override;
  uint64_t accepted() const override { return base_->accepted(); }
  uint64_t durable() const override { return base_->durable(); }
  void Finish(StatusCallback done) override;
  void Abandon() override { base_->Abandon(); }

 private:
  // The answers under way; shared with callbacks, one of which may destroy this
  // object.
  struct Answers;

  // A callback for the base that has `done` called at `answer`, in its turn.
  template <typename Result, typename Done>
  absl::AnyInvocable<void(Result)> At(absl::Duration answer, Done done);

  DeviceModel& model_;
  const std::shared_ptr<Answers> answers_;
  std::unique_ptr<AppendFile> base_;
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_MODELLED_APPEND_FILE_H_
