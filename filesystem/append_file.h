#ifndef SHALE_FILESYSTEM_APPEND_FILE_H_
#define SHALE_FILESYSTEM_APPEND_FILE_H_

#include <cstdint>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

enum class SyncMode {
  kData,  // The bytes, and what is needed to find them again.
  kFull,  // And all metadata.
};

using StatusCallback = absl::AnyInvocable<void(absl::Status)>;
// Gets the file's size after the append.
using AppendCallback = absl::AnyInvocable<void(absl::StatusOr<uint64_t>)>;

// A log segment or a store file in the making: bytes are added at its end and
// never changed. There is one writer; its calls may come from several threads,
// one at a time for appends.
//
// The first failed append or sync poisons the file: that call and every later
// one fail with the first cause, and what the file holds beyond durable() is
// unknown. Callbacks run on the file system's executor, never inside the call
// that started them, in the order of their calls. The destructor, which one of
// the callbacks may call, waits for those still to come, running them itself
// where the executor has not begun to; it makes nothing durable.
class AppendFile {
 public:
  virtual ~AppendFile() = default;

  // Adds `bytes` after all bytes of earlier calls. They must stay valid until
  // `done` has been called.
  virtual void Append(absl::string_view bytes, AppendCallback done) = 0;

  // Makes everything appended before this call durable; the directory entry
  // too.
  virtual void Sync(SyncMode mode, StatusCallback done) = 0;

  // Append and Sync in the calling thread, for a caller that would only wait:
  // spares two hand-offs where the backend can do without them. Same contract,
  // except that several SyncNow calls may run at a time.
  virtual absl::StatusOr<uint64_t> AppendNow(absl::string_view bytes) = 0;
  virtual absl::Status SyncNow(SyncMode mode) = 0;

  // Bytes appended successfully, and the prefix of them known to be durable.
  virtual uint64_t accepted() const = 0;
  virtual uint64_t durable() const = 0;

  // No more appends; syncs all, and the file may be cloned and opened by name
  // with this size from here on. Later appends fail with FAILED_PRECONDITION.
  virtual void Finish(StatusCallback done) = 0;

  // Gives an unfinished file up: removes it where possible, and later calls
  // fail. Errors are swallowed, since what is left is an orphan that a
  // collector removes. Leaves a finished file alone.
  virtual void Abandon() = 0;
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_APPEND_FILE_H_
