#include "shale/wal/buffered_reader.h"

#include <algorithm>

#include "shale/base/status_macros.h"

namespace shale {
namespace {

constexpr size_t kPieceBytes = 256 << 10;

}  // namespace

absl::StatusOr<absl::string_view> BufferedReader::Read(uint64_t offset,
                                                       size_t length) {
  if (offset < begin_ || offset + length > begin_ + bytes_.size()) {
    SHALE_ASSIGN_OR_RETURN(
        bytes_, file_.ReadNow({offset, std::max(length, kPieceBytes)}));
    begin_ = offset;
  }
  return absl::string_view(bytes_).substr(offset - begin_, length);
}

}  // namespace shale
