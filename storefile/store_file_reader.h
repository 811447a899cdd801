#ifndef SHALE_STOREFILE_STORE_FILE_READER_H_
#define SHALE_STOREFILE_STORE_FILE_READER_H_

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
  CacheFill fill = CacheFill::kFill;
};

// An open store file. Every block is checked against its checksum before it is
// used; a bad one is DATA_LOSS naming file, offset, both checksums. Thread-safe.
// Its scanners must not outlive it.
class StoreFileReader {
 public:
  virtual ~StoreFileReader() = default;

  virtual const std::string& name() const = 0;
  virtual uint64_t file_id() const = 0;
  virtual const StoreFileInfo& info() const = 0;

  virtual std::unique_ptr<CellScanner> NewScanner(
      const StoreFileScanOptions& options) const = 0;

  // False if the file surely has no cell of that row (or column, where the
  // bloom covers columns; family markers count as present for every column).
  virtual absl::StatusOr<bool> MayContainRow(absl::string_view row) const = 0;
  virtual absl::StatusOr<bool> MayContainColumn(
      absl::string_view row, absl::string_view qualifier) const = 0;

  // A row near the middle of the file's bytes, for a split; empty if none.
  virtual absl::StatusOr<std::string> MiddleRow() const = 0;

  // Reads and checks every byte: checksums, key order, index against blocks,
  // info against cells. `progress` gets bytes done, may be empty.
  virtual absl::Status Verify(
      const std::function<void(uint64_t)>& progress) const = 0;
};

// Opens with a bounded number of reads. DATA_LOSS for a truncated or damaged
// file, FAILED_PRECONDITION for a newer version (got, want). `cache` outlives the
// reader; `file_id` is from its NewFileId().
absl::StatusOr<std::unique_ptr<StoreFileReader>> OpenStoreFile(
    std::unique_ptr<ReadFile> file, std::string name, uint64_t file_id,
    BlockCache& cache);

}  // namespace shale

#endif  // SHALE_STOREFILE_STORE_FILE_READER_H_
