#ifndef SHALE_REGION_STORE_FILE_H_
#define SHALE_REGION_STORE_FILE_H_

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/cache/block_cache.h"
#include "shale/cell/cell_scanner.h"
#include "shale/filesystem/file_system.h"
#include "shale/region/manifest.h"
#include "shale/region/store_file_remover.h"
#include "shale/storefile/store_file_reader.h"

namespace shale {

// Where a region's files lie, and with whose token they are changed.
struct RegionFiles {
  FileSystem& files;
  OwnerToken token;
  // "host/regions/<incarnation>/".
  std::string directory;
  BlockCache& cache;
  // Of files that became obsolete; null where none can.
  StoreFileRemover* remover = nullptr;
};

// A live store file of a region. Shared by the region's current view and by
// every scanner that reads it; when the last of them lets go of a file that a
// compaction has replaced, its removal begins, and that thread goes on.
// Thread-safe.
//
// The file may hold more rows than its entry in the manifest has bounds for.
// What reads or rewrites the region's cells asks here, where the bounds count;
// reader() knows nothing of them.
class StoreFile {
 public:
  // DATA_LOSS naming the file if it is missing, damaged where opening looks or
  // not what `entry` says. `where` outlives the file.
  static absl::StatusOr<std::shared_ptr<StoreFile>> Open(
      const RegionFiles& where, const ManifestFile& entry);

  StoreFile(const RegionFiles& where, ManifestFile entry,
            std::unique_ptr<StoreFileReader> reader)
      : where_(where), entry_(std::move(entry)), reader_(std::move(reader)) {}
  ~StoreFile();

  const ManifestFile& entry() const { return entry_; }
  const StoreFileReader& reader() const { return *reader_; }

  // The cells that count. The scanner must not outlive this.
  std::unique_ptr<CellScanner> NewScanner(
      const StoreFileScanOptions& options) const;

  // False if none of the rows that count is from `first` to `last`, both
  // included; an empty `last` means to the end.
  bool MayHoldRows(absl::string_view first, absl::string_view last) const;

  // The manifest names it no more, for certain: remove it after the last use.
  // REQUIRES: a remover.
  // Pairs with the load in the destructor, which the last reference orders.
  void MarkObsolete() { obsolete_.store(true, std::memory_order_relaxed); }

 private:
  const RegionFiles& where_;
  const ManifestFile entry_;
  std::unique_ptr<StoreFileReader> reader_;
  std::atomic<bool> obsolete_ = false;
};

using StoreFiles = std::vector<std::shared_ptr<StoreFile>>;

// Opens every file that `manifest` names, by family id, newest first. Checks
// what opening reads of each: that it is there, as long as the manifest says
// and of the right family, its footer, file info and the roots of index and
// bloom. Writes nothing. DATA_LOSS naming file and offset. `where` outlives the
// files.
absl::StatusOr<std::vector<StoreFiles>> OpenStoreFiles(
    const RegionFiles& where, const Manifest& manifest);

}  // namespace shale

#endif  // SHALE_REGION_STORE_FILE_H_
