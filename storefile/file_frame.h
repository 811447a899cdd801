// The first and the last bytes of a store file, around its blocks. The header
// has one form in all versions, so that any reader can tell the version of any
// file. docs/formats/store_file.md
#ifndef SHALE_STOREFILE_FILE_FRAME_H_
#define SHALE_STOREFILE_FILE_FRAME_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/storefile/block_format.h"
#include "shale/storefile/index_root.h"

namespace shale {

inline constexpr uint32_t kStoreFileVersion = 1;

inline constexpr size_t kFileHeaderBytes = 8 + 4 + 4;
inline constexpr size_t kFileFooterBytes = 3 * (8 + 4) + 2 + 8 + 4 + 8 + 4;
inline constexpr size_t kMinFileBytes = kFileHeaderBytes + kFileFooterBytes;

std::string EncodeFileHeader();

// OK for a file of this version. DATA_LOSS for what is no header,
// FAILED_PRECONDITION for a version that this build can't read.
absl::Status CheckFileHeader(absl::string_view header);

struct FileFooter {
  BlockHandle info;
  IndexRoot index;
  IndexRoot bloom;
  uint64_t file_bytes = 0;

  uint64_t offset() const { return file_bytes - kFileFooterBytes; }
  // Where the bytes begin that opening needs: the roots, info and footer, which
  // are the last of the file.
  uint64_t tail_offset() const;
};

std::string EncodeFileFooter(const FileFooter& footer);

// The footer of a file of `file_bytes` bytes that ends with `bytes`. DATA_LOSS
// if it is none or if what it says can't be of such a file.
absl::StatusOr<FileFooter> DecodeFileFooter(absl::string_view bytes,
                                            uint64_t file_bytes);

}  // namespace shale

#endif  // SHALE_STOREFILE_FILE_FRAME_H_
