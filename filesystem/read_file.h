#ifndef SHALE_FILESYSTEM_READ_FILE_H_
#define SHALE_FILESYSTEM_READ_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// The bytes [offset, offset + length) of a file.
struct FileExtent {
  uint64_t offset = 0;
  size_t length = 0;
};

using ReadCallback = absl::AnyInvocable<void(absl::StatusOr<std::string>)>;
using ReadManyCallback =
    absl::AnyInvocable<void(absl::StatusOr<std::vector<std::string>>)>;

// A file opened for reading. Thread-safe. Callbacks run on the file system's
// executor, never inside the call, in any order. The destructor waits for them
// as an AppendFile's does. After the file's removal reads may go on or fail.
class ReadFile {
 public:
  virtual ~ReadFile() = default;

  // As known at open; a log that still grows may be longer by now.
  virtual uint64_t size() const = 0;

  // Reads [offset, offset + length); shorter only where the file ends, empty
  // beyond it.
  virtual void Read(FileExtent extent, ReadCallback done) = 0;
  // Several extents, in one round trip where the backend can.
  virtual void ReadMany(absl::Span<const FileExtent> extents,
                        ReadManyCallback done) = 0;

  // Reads in the calling thread.
  virtual absl::StatusOr<std::string> ReadNow(FileExtent extent) = 0;
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_READ_FILE_H_
