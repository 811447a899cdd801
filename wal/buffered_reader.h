#ifndef SHALE_WAL_BUFFERED_READER_H_
#define SHALE_WAL_BUFFERED_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/filesystem/read_file.h"

namespace shale {

// Turns many small reads, mostly one after the other, into few large ones. Not
// thread-safe. The file must outlive it.
class BufferedReader {
 public:
  explicit BufferedReader(ReadFile& file) : file_(file) {}

  // Bytes [offset, offset + length) of the file, or as many of them as it has.
  // Valid until the next call.
  absl::StatusOr<absl::string_view> Read(uint64_t offset, size_t length);

 private:
  ReadFile& file_;
  uint64_t begin_ = 0;
  std::string bytes_;  // Of the file, from begin_ on.
};

}  // namespace shale

#endif  // SHALE_WAL_BUFFERED_READER_H_
