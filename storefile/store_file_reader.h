#ifndef SHALE_STOREFILE_STORE_FILE_READER_H_
#define SHALE_STOREFILE_STORE_FILE_READER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/cache/block_cache.h"
#include "shale/cell/cell_scanner.h"
#include "shale/filesystem/read_file.h"
#include "shale/storefile/store_file_info.h"

namespace shale {

struct StoreFileScanOptions {
  // Of data and index blocks.
  CacheFill fill = CacheFill::kFill;
};

// An open store file. Every block is checked against its checksum before it is
// used; a bad one is DATA_LOSS naming file, offset, both checksums; one that is
// compressed by a codec not in this build is UNIMPLEMENTED. Thread-safe. Its
// scanners must not outlive it.
class StoreFileReader {
 public:
  virtual ~StoreFileReader() = default;

  virtual const std::string& name() const = 0;
  virtual uint64_t file_id() const = 0;
  virtual const StoreFileInfo& info() const = 0;

  // Seek refuses what is no cell or seek key with INVALID_ARGUMENT.
  virtual std::unique_ptr<CellScanner> NewScanner(
      const StoreFileScanOptions& options) const = 0;

  // False if the file surely has no cell of that row (or column, where the
  // bloom covers columns; family markers count as present for every column).
  // Reads at most one bloom chunk and what leads to it; two chunks for a column
  // of a file with family markers.
  virtual absl::StatusOr<bool> MayContainRow(absl::string_view row) const = 0;
  virtual absl::StatusOr<bool> MayContainColumn(
      absl::string_view row, absl::string_view qualifier) const = 0;

  // A row of the file near the middle of its bytes, for a split: never the
  // first row; empty if the file has fewer than two.
  virtual absl::StatusOr<std::string> MiddleRow() const = 0;

  // Reads and checks every byte, past the cache: checksums, key order, index
  // against blocks, bloom and info against cells, and that no byte is outside
  // of what was checked. `progress` gets bytes done, may be empty.
  virtual absl::Status Verify(
      const std::function<void(uint64_t)>& progress) const = 0;
};

// Opens with one read, or two if index and bloom roots are large. DATA_LOSS for
// a truncated or damaged file, FAILED_PRECONDITION for a newer version (got,
// want). `cache` outlives the reader; `file_id` is from its NewFileId(). Errors
// of the reader call the file `name`.
absl::StatusOr<std::unique_ptr<StoreFileReader>> OpenStoreFile(
    std::unique_ptr<ReadFile> file, std::string name, uint64_t file_id,
    BlockCache& cache);

}  // namespace shale

#endif  // SHALE_STOREFILE_STORE_FILE_READER_H_
