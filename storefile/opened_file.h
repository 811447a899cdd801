#ifndef SHALE_STOREFILE_OPENED_FILE_H_
#define SHALE_STOREFILE_OPENED_FILE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "shale/storefile/block_file.h"
#include "shale/storefile/file_frame.h"
#include "shale/storefile/index_cursor.h"
#include "shale/storefile/store_file_info.h"

namespace shale {

// What a reader keeps of its file from open to close.
struct OpenedFile {
  FileFooter footer;
  StoreFileInfo info;
  LoadedIndex index;
  LoadedIndex bloom;
};

// Reads the end of the file: speculatively as much as most files need, and the
// rest in a second read. Errors as of OpenStoreFile.
absl::StatusOr<OpenedFile> ReadOpenedFile(const BlockFile& file);

}  // namespace shale

#endif  // SHALE_STOREFILE_OPENED_FILE_H_
