#include "shale/filesystem/modelled_read_file.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/time/time.h"

namespace shale {

ModelledReadFile::ModelledReadFile(DeviceModel& model, Executor& executor,
                                   std::unique_ptr<ReadFile> base)
    : model_(model), tasks_(executor), base_(std::move(base)) {}

int64_t ModelledReadFile::BytesOf(FileExtent extent) const {
  const uint64_t size = base_->size();
  return extent.offset >= size
             ? 0
             : std::min<uint64_t>(extent.length, size - extent.offset);
}

void ModelledReadFile::Read(FileExtent extent, ReadCallback done) {
  const absl::Duration answer = model_.ReadAnswer(1, BytesOf(extent));
  base_->Read(extent, [this, answer, done = std::move(done)](
                          absl::StatusOr<std::string> bytes) mutable {
    tasks_.RunAt(answer,
                 [bytes = std::move(bytes), done = std::move(done)]() mutable {
                   done(std::move(bytes));
                 });
  });
}

void ModelledReadFile::ReadMany(absl::Span<const FileExtent> extents,
                                ReadManyCallback done) {
  int64_t bytes = 0;
  for (const FileExtent extent : extents) bytes += BytesOf(extent);
  const absl::Duration answer = model_.ReadAnswer(extents.size(), bytes);
  base_->ReadMany(
      extents, [this, answer, done = std::move(done)](
                   absl::StatusOr<std::vector<std::string>> results) mutable {
        tasks_.RunAt(answer, [results = std::move(results),
                              done = std::move(done)]() mutable {
          done(std::move(results));
        });
      });
}

absl::StatusOr<std::string> ModelledReadFile::ReadNow(FileExtent extent) {
  const absl::Duration answer = model_.ReadAnswer(1, BytesOf(extent));
  absl::StatusOr<std::string> bytes = base_->ReadNow(extent);
  model_.clock().SleepUntil(answer);
  return bytes;
}

}  // namespace shale
