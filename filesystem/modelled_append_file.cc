#include "shale/filesystem/modelled_append_file.h"

#include <utility>

#include "shale/filesystem/callback_order.h"
#include "shale/filesystem/task_group.h"

namespace shale {

struct ModelledAppendFile::Answers {
  explicit Answers(Executor& executor) : tasks(executor) {}

  CallbackOrder order;
  TaskGroup tasks;
};

ModelledAppendFile::ModelledAppendFile(DeviceModel& model, Executor& executor,
                                       std::unique_ptr<AppendFile> base)
    : model_(model),
      answers_(std::make_shared<Answers>(executor)),
      base_(std::move(base)) {}

ModelledAppendFile::~ModelledAppendFile() {
  base_ = nullptr;  // Its callbacks add to the answers.
  answers_->tasks.Join();
  answers_->order.Join();
}

template <typename Result, typename Done>
absl::AnyInvocable<void(Result)> ModelledAppendFile::At(absl::Duration answer,
                                                        Done done) {
  return [answers = answers_, place = answers_->order.Reserve(), answer,
          done = std::move(done)](Result result) mutable {
    Answers& group = *answers;
    group.tasks.RunAt(
        answer, [answers = std::move(answers), place,
                 result = std::move(result), done = std::move(done)]() mutable {
          answers->order.Put(place, [result = std::move(result),
                                     done = std::move(done)]() mutable {
            done(std::move(result));
          });
          answers->order.RunReady();
        });
  };
}

void ModelledAppendFile::Append(absl::string_view bytes, AppendCallback done) {
  base_->Append(bytes, At<absl::StatusOr<uint64_t>>(
                           model_.AppendAnswer(bytes.size()), std::move(done)));
}

void ModelledAppendFile::Sync(SyncMode mode, StatusCallback done) {
  base_->Sync(mode, At<absl::Status>(model_.SyncAnswer(), std::move(done)));
}

absl::StatusOr<uint64_t> ModelledAppendFile::AppendNow(
    absl::string_view bytes) {
  const absl::Duration answer = model_.AppendAnswer(bytes.size());
  absl::StatusOr<uint64_t> size = base_->AppendNow(bytes);
  model_.clock().SleepUntil(answer);
  return size;
}

absl::Status ModelledAppendFile::SyncNow(SyncMode mode) {
  const absl::Duration answer = model_.SyncAnswer();
  absl::Status status = base_->SyncNow(mode);
  model_.clock().SleepUntil(answer);
  return status;
}

void ModelledAppendFile::Finish(StatusCallback done) {
  base_->Finish(At<absl::Status>(model_.SyncAnswer(), std::move(done)));
}

}  // namespace shale
