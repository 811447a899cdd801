#ifndef SHALE_FILESYSTEM_BLOCKING_FILE_H_
#define SHALE_FILESYSTEM_BLOCKING_FILE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/filesystem/append_file.h"

namespace shale {

// One new file of a backend whose calls block. PipelinedAppendFile makes an
// AppendFile of it: so order, callbacks, poison and the two lengths are one and
// the same for all such backends.
class BlockingFile {
 public:
  virtual ~BlockingFile() = default;

  // Writes all of `bytes` at `offset`, the end of what was written before. Not
  // called again after an error; one call at a time.
  virtual absl::Status Write(uint64_t offset, absl::string_view bytes) = 0;

  // Makes durable what had been written when it was called, and the name.
  // Several calls at a time, also beside Write.
  virtual absl::Status Sync(SyncMode mode) = 0;

  // The last Write has returned: makes all durable, and marks the file
  // finished.
  virtual absl::Status Finish() = 0;

  // Takes the name away if that is possible; need not be durable.
  virtual void Remove() = 0;
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_BLOCKING_FILE_H_
