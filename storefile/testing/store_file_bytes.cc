#include "shale/storefile/testing/store_file_bytes.h"

#include <utility>

#include "absl/strings/string_view.h"
#include "shale/base/status_macros.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/cache/lru_block_cache.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/pooled_read_file.h"

namespace shale {
namespace {

// Never idle for long: tests only wait for what they have put into it.
Executor& SharedExecutor() {
  static ThreadPoolExecutor* const executor =
      new ThreadPoolExecutor(/*threads=*/1, RealClock());
  return *executor;
}

absl::StatusOr<std::string> ReadExtent(absl::string_view bytes,
                                       FileExtent extent, ReadSpy* spy) {
  if (spy != nullptr) {
    const int read = spy->reads.fetch_add(1);
    spy->bytes += extent.length;
    if (read == spy->failing_read) {
      return absl::UnavailableError("injected read error");
    }
  }
  if (extent.offset > bytes.size()) return std::string();
  return std::string(bytes.substr(extent.offset, extent.length));
}

}  // namespace

absl::StatusOr<std::string> BuildStoreFile(
    absl::Span<const Cell> cells, const StoreFileWriterOptions& options) {
  MemoryFileSystem files(SharedExecutor());
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<Lease> lease,
                         AcquireLease(files, "dir", "test"));
  SHALE_ASSIGN_OR_RETURN(
      std::unique_ptr<AppendFile> file,
      CreateFile(files, "dir/file", FileKind::kData, lease->token()));
  ManualClock clock;
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<StoreFileWriter> writer,
                         NewStoreFileWriter(std::move(file), options, clock));
  for (const Cell& cell : cells) {
    SHALE_RETURN_IF_ERROR(writer->Add(cell.view()));
  }
  SHALE_RETURN_IF_ERROR(writer->Finish().status());
  return ReadWholeFile(files, "dir/file");
}

std::unique_ptr<ReadFile> FileOfBytes(std::string bytes, ReadSpy* spy) {
  const uint64_t size = bytes.size();
  return std::make_unique<PooledReadFile>(
      SharedExecutor(), size,
      [bytes = std::move(bytes), spy](FileExtent extent) {
        return ReadExtent(bytes, extent, spy);
      });
}

absl::StatusOr<std::unique_ptr<StoreFileReader>> OpenBytes(std::string bytes,
                                                           BlockCache& cache,
                                                           ReadSpy* spy) {
  return OpenStoreFile(FileOfBytes(std::move(bytes), spy), "test.sf",
                       cache.NewFileId(), cache);
}

absl::Status OpenAndVerify(std::string bytes) {
  LruBlockCache cache({.capacity_bytes = 1 << 20});
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<StoreFileReader> reader,
                         OpenBytes(std::move(bytes), cache));
  return reader->Verify(nullptr);
}

}  // namespace shale
