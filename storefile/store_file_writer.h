#ifndef SHALE_STOREFILE_STORE_FILE_WRITER_H_
#define SHALE_STOREFILE_STORE_FILE_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shale/base/clock.h"
#include "shale/cell/cell.h"
#include "shale/filesystem/append_file.h"
#include "shale/storefile/bloom_kind.h"
#include "shale/storefile/compression.h"
#include "shale/storefile/store_file_info.h"

namespace shale {

// What a store file is to hold, and how it is laid out.
struct StoreFileWriterOptions {
  // At most kMaxFamilyBytes.
  std::string family = "";
  // Raw size at which a data block ends. Larger blocks compress better and cost
  // more per point read. Range [1, 16 MiB]; 1 gives one cell per block. Cells
  // with equal keys stay in one block.
  size_t block_bytes = 64 << 10;
  // Cells between restart points of a data block's prefix compression. Range
  // [1, 65536].
  int restart_interval = 16;
  // Raw size at which an index block ends; a larger index gets a further level.
  // Range [1, 16 MiB].
  size_t index_block_bytes = 128 << 10;
  // Of data and index blocks.
  Compression compression = Compression::kNone;
  BloomKind bloom = BloomKind::kRow;
  // Wanted share of false positives. Range (0, 0.5]. A row_column bloom of a
  // file with family markers is asked twice and may reach twice the share.
  double bloom_error_rate = 0.01;
  // Recorded in StoreFileInfo.
  bool includes_oldest = false;
};

// Writes one store file: cells of one family in key order. Not thread-safe.
// Nothing counts until Finish has returned; a writer that is destroyed earlier
// abandons its file.
class StoreFileWriter {
 public:
  virtual ~StoreFileWriter() = default;

  // REQUIRES (else INVALID_ARGUMENT, nothing added): key >= the last one's, a
  // key within the limits of cell.h and not above 64 MiB with value and tags,
  // and the options' family or none. Equal keys are accepted. An I/O error is
  // returned by this and all later calls.
  virtual absl::Status Add(const CellView& cell) = 0;

  // Writes index, bloom, info and footer; durable on return. Nothing may be
  // added after it (FAILED_PRECONDITION).
  virtual absl::StatusOr<StoreFileInfo> Finish() = 0;

  // Gives the file up; nothing may be called after it.
  virtual void Abandon() = 0;
};

// INVALID_ARGUMENT for options out of range, UNIMPLEMENTED for a codec that is
// not in this build.
absl::StatusOr<std::unique_ptr<StoreFileWriter>> NewStoreFileWriter(
    std::unique_ptr<AppendFile> file, const StoreFileWriterOptions& options,
    Clock& clock);

}  // namespace shale

#endif  // SHALE_STOREFILE_STORE_FILE_WRITER_H_
