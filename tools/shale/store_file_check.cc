#include "shale/tools/shale/store_file_check.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/filesystem/blocking.h"
#include "shale/storefile/store_file_reader.h"

namespace shale {

absl::StatusOr<uint64_t> CheckStoreFile(
    FileSystem& files, absl::string_view name, uint64_t bytes,
    BlockCache& cache, const std::function<void(uint64_t)>& progress) {
  SHALE_ASSIGN_OR_RETURN(std::unique_ptr<ReadFile> file, OpenFile(files, name));
  if (file->size() != bytes) {
    return absl::DataLossError(
        absl::StrCat(name, ": ends at offset ", file->size(),
                     ", the manifest wants ", bytes, " bytes"));
  }
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<StoreFileReader> reader,
                         OpenStoreFile(std::move(file), std::string(name),
                                       cache.NewFileId(), cache));
  SHALE_RETURN_IF_ERROR(reader->Verify(progress));
  return reader->info().cells;
}

}  // namespace shale
