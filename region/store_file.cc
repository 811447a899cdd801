#include "shale/region/store_file.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/cell/cell.h"
#include "shale/cell/row_range_scanner.h"
#include "shale/filesystem/blocking.h"

namespace shale {

absl::StatusOr<std::shared_ptr<StoreFile>> StoreFile::Open(
    const RegionFiles& where, const ManifestFile& entry) {
  const std::string name = absl::StrCat(where.directory, entry.name);
  absl::StatusOr<std::unique_ptr<ReadFile>> file = OpenFile(where.files, name);
  if (absl::IsNotFound(file.status())) {
    return absl::DataLossError(
        absl::StrCat(name, ": the manifest names it and it is missing"));
  }
  SHALE_RETURN_IF_ERROR(file.status());
  if ((*file)->size() != entry.bytes) {
    return absl::DataLossError(
        absl::StrCat(name, ": ends at offset ", (*file)->size(),
                     ", the manifest wants ", entry.bytes, " bytes"));
  }
  for (const std::string& bound : {entry.low, entry.high}) {
    if (bound.size() <= kMaxRowBytes) continue;
    return absl::DataLossError(
        absl::StrCat(name, ": the manifest bounds it by a row of ",
                     bound.size(), " bytes, at most ", kMaxRowBytes));
  }
  SHALE_ASSIGN_OR_RETURN(std::unique_ptr<StoreFileReader> reader,
                         OpenStoreFile(*std::move(file), name,
                                       where.cache.NewFileId(), where.cache));
  return std::make_shared<StoreFile>(where, entry, std::move(reader));
}

std::unique_ptr<CellScanner> StoreFile::NewScanner(
    const StoreFileScanOptions& options) const {
  std::unique_ptr<CellScanner> all = reader_->NewScanner(options);
  if (entry_.low.empty() && entry_.high.empty()) return all;
  return NewRowRangeScanner(std::move(all), entry_.low, entry_.high);
}

bool StoreFile::MayHoldRows(absl::string_view first,
                            absl::string_view last) const {
  const StoreFileInfo& info = reader_->info();
  if (info.cells == 0 || info.last_row < first) return false;
  if (!entry_.high.empty() && entry_.high <= first) return false;
  return last.empty() || (info.first_row <= last && entry_.low <= last);
}

absl::StatusOr<std::vector<StoreFiles>> OpenStoreFiles(
    const RegionFiles& where, const Manifest& manifest) {
  std::vector<StoreFiles> files;
  for (const ManifestFamily& family : manifest.families) {
    StoreFiles& of_family = files.emplace_back();
    for (const ManifestFile& entry : family.files) {
      SHALE_ASSIGN_OR_RETURN(std::shared_ptr<StoreFile> file,
                             StoreFile::Open(where, entry));
      const StoreFileReader& reader = file->reader();
      if (reader.info().family != family.options.name) {
        return absl::DataLossError(absl::StrCat(
            reader.name(), ": holds family '", reader.info().family,
            "', the manifest wants '", family.options.name, "'"));
      }
      if (reader.info().max_number >= kWriteNumberLimit) {
        return absl::DataLossError(
            absl::StrCat(reader.name(), ": impossible write number ",
                         reader.info().max_number.value));
      }
      of_family.push_back(std::move(file));
    }
  }
  return files;
}

StoreFile::~StoreFile() {
  const uint64_t file_id = reader_->file_id();
  reader_.reset();
  where_.cache.EvictFile(file_id);
  if (!obsolete_.load(std::memory_order_relaxed)) return;
  where_.remover->Remove(absl::StrCat(where_.directory, entry_.name));
}

}  // namespace shale
