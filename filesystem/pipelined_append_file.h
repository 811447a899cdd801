// An AppendFile made of a file whose calls block.
//
//   Append, Finish -> waiting -> lane, one at a time ---+-> callbacks, in the
//   Sync ----------> waiting -> any thread, as soon as -+   order of the calls
//                               all appends before it
//                               are done
//
// Invariants:
//   I1. Appends and Finish reach the file one at a time in the order of their
//       calls; whoever does that holds the lane, which is nobody's thread for
//       longer than what waited when it was taken.
//   I2. A sync begins only when every append called before it has ended: what
//       is accepted by then is what it makes durable.
//   I3. Once a call has failed, no call that comes after it reaches the file,
//       nor is it reported as successful if it did.
#ifndef SHALE_FILESYSTEM_PIPELINED_APPEND_FILE_H_
#define SHALE_FILESYSTEM_PIPELINED_APPEND_FILE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/executor.h"
#include "shale/filesystem/append_file.h"
#include "shale/filesystem/blocking_file.h"

namespace shale {

class PipelinedAppendFile final : public AppendFile {
 public:
  // `name` is for messages. `executor` must outlive this object.
  PipelinedAppendFile(Executor& executor, std::string name,
                      std::unique_ptr<BlockingFile> file);
  ~PipelinedAppendFile() override;

  void Append(absl::string_view bytes, AppendCallback done) override;
  void Sync(SyncMode mode, StatusCallback done) override;
  absl::StatusOr<uint64_t> AppendNow(absl::string_view bytes) override;
  absl::Status SyncNow(SyncMode mode) override;
  uint64_t accepted() const override;
  uint64_t durable() const override;
  void Finish(StatusCallback done) override;
  void Abandon() override;

 private:
  class Pipeline;

  // Shared with the thread whose callback may destroy this object.
  const std::shared_ptr<Pipeline> pipeline_;
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_PIPELINED_APPEND_FILE_H_
