#include "shale/filesystem/modelled_device.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shale/filesystem/modelled_append_file.h"
#include "shale/filesystem/modelled_read_file.h"

namespace shale {

ModelledDeviceFileSystem::ModelledDeviceFileSystem(
    FileSystem& base, Clock& clock, Executor& executor,
    const ModelledDeviceOptions& options)
    : base_(base),
      executor_(executor),
      model_(clock, options),
      tasks_(executor) {}

template <typename Result, typename Done>
auto ModelledDeviceFileSystem::At(absl::Duration answer, Done done) {
  return pending_.Counted([this, answer,
                           done = std::move(done)](Result result) mutable {
    tasks_.RunAt(
        answer, [result = std::move(result), done = std::move(done)]() mutable {
          done(std::move(result));
        });
  });
}

FileSystemCapabilities ModelledDeviceFileSystem::capabilities() const {
  return base_.capabilities();
}

void ModelledDeviceFileSystem::Create(absl::string_view name, FileKind kind,
                                      const OwnerToken& token,
                                      const CreateOptions& options,
                                      CreateCallback done) {
  using Result = absl::StatusOr<std::unique_ptr<AppendFile>>;
  base_.Create(name, kind, token, options,
               At<Result>(model_.LinkAnswer(),
                          [this, done = std::move(done)](Result file) mutable {
                            if (file.ok()) {
                              file = std::make_unique<ModelledAppendFile>(
                                  model_, executor_, *std::move(file));
                            }
                            done(std::move(file));
                          }));
}

void ModelledDeviceFileSystem::Open(absl::string_view name,
                                    std::optional<uint64_t> known_size,
                                    OpenCallback done) {
  using Result = absl::StatusOr<std::unique_ptr<ReadFile>>;
  const absl::Duration answer =
      known_size.has_value() ? model_.clock().Monotonic() : model_.LinkAnswer();
  base_.Open(
      name, known_size,
      At<Result>(answer, [this, done = std::move(done)](Result file) mutable {
        if (file.ok()) {
          file = std::make_unique<ModelledReadFile>(model_, executor_,
                                                    *std::move(file));
        }
        done(std::move(file));
      }));
}

void ModelledDeviceFileSystem::Remove(absl::string_view name,
                                      const OwnerToken& token,
                                      StatusCallback done) {
  base_.Remove(name, token,
               At<absl::Status>(model_.SyncAnswer(), std::move(done)));
}

void ModelledDeviceFileSystem::Clone(absl::string_view from,
                                     absl::string_view to,
                                     const OwnerToken& token,
                                     StatusCallback done) {
  base_.Clone(from, to, token,
              At<absl::Status>(model_.SyncAnswer(), std::move(done)));
}

void ModelledDeviceFileSystem::List(absl::string_view prefix,
                                    absl::string_view cursor,
                                    ListCallback done) {
  base_.List(
      prefix, cursor,
      At<absl::StatusOr<FileListing>>(model_.LinkAnswer(), std::move(done)));
}

void ModelledDeviceFileSystem::ReadMeta(absl::string_view name,
                                        MetaCallback done) {
  base_.ReadMeta(name, At<absl::StatusOr<MetaObject>>(model_.ReadAnswer(1, 0),
                                                      std::move(done)));
}

void ModelledDeviceFileSystem::CommitMeta(absl::string_view name,
                                          std::string bytes,
                                          MetaVersion expected,
                                          const OwnerToken& token,
                                          CommitCallback done) {
  base_.CommitMeta(
      name, std::move(bytes), expected, token,
      At<absl::StatusOr<MetaVersion>>(model_.SyncAnswer(), std::move(done)));
}

void ModelledDeviceFileSystem::Acquire(absl::string_view directory,
                                       absl::string_view owner, uint64_t above,
                                       AcquireCallback done) {
  base_.Acquire(directory, owner, above,
                At<absl::StatusOr<std::unique_ptr<Lease>>>(model_.SyncAnswer(),
                                                           std::move(done)));
}

void ModelledDeviceFileSystem::Share(absl::string_view directory,
                                     AcquireCallback done) {
  base_.Share(directory, At<absl::StatusOr<std::unique_ptr<Lease>>>(
                             model_.LinkAnswer(), std::move(done)));
}

void ModelledDeviceFileSystem::Seal(absl::string_view name,
                                    const OwnerToken& successor,
                                    SealCallback done) {
  base_.Seal(
      name, successor,
      At<absl::StatusOr<uint64_t>>(model_.SyncAnswer(), std::move(done)));
}

}  // namespace shale
