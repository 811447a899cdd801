// Store files as strings, for tests that look at or change their bytes.
#ifndef SHALE_STOREFILE_TESTING_STORE_FILE_BYTES_H_
#define SHALE_STOREFILE_TESTING_STORE_FILE_BYTES_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "shale/cache/block_cache.h"
#include "shale/cell/cell.h"
#include "shale/filesystem/read_file.h"
#include "shale/storefile/store_file_reader.h"
#include "shale/storefile/store_file_writer.h"

namespace shale {

// The file that a writer makes of sorted cells. Created at the second
// 1600000000 of the Unix epoch.
absl::StatusOr<std::string> BuildStoreFile(
    absl::Span<const Cell> cells, const StoreFileWriterOptions& options);

// Watches the reads of a file, and can make one fail. Must outlive the file.
struct ReadSpy {
  std::atomic<int> reads{0};
  std::atomic<uint64_t> bytes{0};
  // Counted from 0; that read fails with UNAVAILABLE, once.
  std::atomic<int> failing_read{-1};
};

std::unique_ptr<ReadFile> FileOfBytes(std::string bytes,
                                      ReadSpy* spy = nullptr);

// Opens bytes as the store file "test.sf".
absl::StatusOr<std::unique_ptr<StoreFileReader>> OpenBytes(
    std::string bytes, BlockCache& cache, ReadSpy* spy = nullptr);

// Opens with a cache of its own and verifies.
absl::Status OpenAndVerify(std::string bytes);

}  // namespace shale

#endif  // SHALE_STOREFILE_TESTING_STORE_FILE_BYTES_H_
