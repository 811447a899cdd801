#ifndef SHALE_WAL_TESTING_STRING_READ_FILE_H_
#define SHALE_WAL_TESTING_STRING_READ_FILE_H_

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/filesystem/read_file.h"

namespace shale {

// A file whose bytes are a string; callbacks run within the call.
class StringReadFile final : public ReadFile {
 public:
  explicit StringReadFile(std::string bytes) : bytes_(std::move(bytes)) {}

  uint64_t size() const override { return bytes_.size(); }
  void Read(FileExtent extent, ReadCallback done) override {
    done(ReadNow(extent));
  }
  void ReadMany(absl::Span<const FileExtent> extents,
                ReadManyCallback done) override {
    std::vector<std::string> pieces;
    for (const FileExtent& extent : extents) pieces.push_back(*ReadNow(extent));
    done(std::move(pieces));
  }
  absl::StatusOr<std::string> ReadNow(FileExtent extent) override {
    const uint64_t begin = std::min<uint64_t>(extent.offset, bytes_.size());
    return bytes_.substr(begin, extent.length);
  }

 private:
  const std::string bytes_;
};

}  // namespace shale

#endif  // SHALE_WAL_TESTING_STRING_READ_FILE_H_
