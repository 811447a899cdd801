#ifndef SHALE_FILESYSTEM_MODELLED_DEVICE_H_
#define SHALE_FILESYSTEM_MODELLED_DEVICE_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/filesystem/device_model.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/pending_calls.h"
#include "shale/filesystem/task_group.h"

namespace shale {

// Another file system, as slow as a device that is modelled, so that what is
// measured doesn't depend on the machine's disk. What a call costs:
//
//   Append, Create, List, Open, Share    the link
//   Open with a known size               nothing
//   Read, ReadMany, ReadMeta             the link, and a read for each extent
//   Sync, Finish, Remove, Clone,
//   CommitMeta, Acquire, Seal            the link and one sync
//
// The base does its part at once, and the call ends when both it and the model
// are done. Over a MemoryFileSystem the model is all there is. Thread-safe.
class ModelledDeviceFileSystem final : public FileSystem {
 public:
  // `base`, `clock` and `executor`, whose clock it is, outlive the file system.
  ModelledDeviceFileSystem(FileSystem& base, Clock& clock, Executor& executor,
                           const ModelledDeviceOptions& options = {});

  ModelledDeviceCounters counters() const { return model_.counters(); }

  FileSystemCapabilities capabilities() const override;
  void Create(absl::string_view name, FileKind kind, const OwnerToken& token,
              const CreateOptions& options, CreateCallback done) override;
  void Open(absl::string_view name, std::optional<uint64_t> known_size,
            OpenCallback done) override;
  void Remove(absl::string_view name, const OwnerToken& token,
              StatusCallback done) override;
  void Clone(absl::string_view from, absl::string_view to,
             const OwnerToken& token, StatusCallback done) override;
  void List(absl::string_view prefix, absl::string_view cursor,
            ListCallback done) override;
  void ReadMeta(absl::string_view name, MetaCallback done) override;
  void CommitMeta(absl::string_view name, std::string bytes,
                  MetaVersion expected, const OwnerToken& token,
                  CommitCallback done) override;
  void Acquire(absl::string_view directory, absl::string_view owner,
               uint64_t above, AcquireCallback done) override;
  void Share(absl::string_view directory, AcquireCallback done) override;
  void Seal(absl::string_view name, const OwnerToken& successor,
            SealCallback done) override;

 private:
  // A callback for the base that has `done` called at `answer`.
  template <typename Result, typename Done>
  auto At(absl::Duration answer, Done done);

  FileSystem& base_;
  Executor& executor_;
  DeviceModel model_;
  TaskGroup tasks_;
  PendingCalls pending_;  // Goes first, as what it waits for adds tasks.
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_MODELLED_DEVICE_H_
