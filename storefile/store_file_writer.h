#ifndef SHALE_STOREFILE_STORE_FILE_WRITER_H_
#define SHALE_STOREFILE_STORE_FILE_WRITER_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shale/base/clock.h"
#include "shale/cell/cell.h"
#include "shale/filesystem/append_file.h"
#include "shale/storefile/store_file_info.h"

namespace shale {

enum class Compression { kNone = 0, kLz4 = 1, kZstd = 2, kSnappy = 3 };
enum class BloomKind { kNone = 0, kRow = 1, kRowColumn = 2 };

// False where the codec's library was missing at build time.
bool IsAvailable(Compression compression);

struct StoreFileWriterOptions {
  std::string family;
  // Raw size at which a data block ends. Larger blocks compress better and cost
  // more per point read. Range [1, 16 MiB]; 1 gives one cell per block.
  size_t block_bytes = 64 << 10;
  // Cells between restart points of a data block's prefix compression.
  int restart_interval = 16;
  // Raw size at which an index block ends; a larger index gets a further level.
  size_t index_block_bytes = 128 << 10;
  Compression compression = Compression::kNone;
  BloomKind bloom = BloomKind::kRow;
  // Wanted share of false positives. Range (0, 0.5].
  double bloom_error_rate = 0.01;
  bool includes_oldest = false;
};

// Writes one store file: cells of one family in key order. Not thread-safe.
// Nothing counts until Finish has returned; a writer that is destroyed earlier
// abandons its file.
class StoreFileWriter {
 public:
  virtual ~StoreFileWriter() = default;

  // REQUIRES (else INVALID_ARGUMENT, nothing added): key >= the last one's.
  // Equal keys are accepted. An I/O error is returned by this and all later
  // calls.
  virtual absl::Status Add(const CellView& cell) = 0;

  // Writes index, bloom, info and footer; durable on return.
  virtual absl::StatusOr<StoreFileInfo> Finish() = 0;

  virtual void Abandon() = 0;

  // Bytes handed to the file so far.
  virtual uint64_t bytes_written() const = 0;
};

// INVALID_ARGUMENT for options out of range, UNIMPLEMENTED for a codec that is
// not in this build.
absl::StatusOr<std::unique_ptr<StoreFileWriter>> NewStoreFileWriter(
    std::unique_ptr<AppendFile> file, const StoreFileWriterOptions& options,
    Clock& clock);

}  // namespace shale

#endif  // SHALE_STOREFILE_STORE_FILE_WRITER_H_
