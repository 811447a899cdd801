#include "shale/tools/shale/verifier.h"

#include <cstddef>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/cell/cell_list_codec.h"
#include "shale/filesystem/blocking.h"
#include "shale/region/close_record.h"
#include "shale/region/host_layout.h"
#include "shale/region/region_components.h"
#include "shale/region/used_epoch.h"
#include "shale/tools/shale/store_file_check.h"
#include "shale/wal/log_scan.h"

namespace shale {
namespace {

// OK if the record's cells, if it has any, can all be decoded.
absl::Status CheckPayload(const LogRecord& record, const RecordPlace& place) {
  if (record.entry.type != LogEntryType::kCells) return absl::OkStatus();
  CellListReader cells(record.entry.payload, record.entry.range.first);
  while (true) {
    const absl::StatusOr<const CellView*> cell = cells.Next();
    if (!cell.ok()) {
      return Annotate(cell.status(),
                      absl::StrCat(place.segment, ": record at offset ",
                                   place.offset, ": cells"));
    }
    if (*cell == nullptr) return absl::OkStatus();
  }
}

}  // namespace

Verifier::Verifier(HostFiles& host, OnProgress on_progress)
    : host_(host),
      on_progress_(on_progress),
      cache_(DefaultRegionComponents().cache(BlockCacheOptions())) {}

absl::Status Verifier::Prepare() {
  SHALE_ASSIGN_OR_RETURN(
      const std::vector<FileListing::Entry> files,
      ListFiles(host_.files(), absl::StrCat(kHostDirectory, "/")));
  const absl::StatusOr<Catalog> catalog = host_.ReadCatalog();
  if (absl::IsNotFound(catalog.status())) return catalog.status();
  Sort(files);
  CheckOwner(files);
  PrepareClosed();
  if (catalog.ok()) {
    for (const Catalog::Entry& entry : catalog->entries()) PrepareRegion(entry);
    absl::flat_hash_set<absl::string_view> used;
    for (const StoreFile& file : to_check_) used.insert(file.name);
    for (const StoreFile& file : listed_) {
      if (!used.contains(file.name)) ++result_.unused_files;
    }
  } else {
    Add(kCatalogFile, catalog.status());
    to_check_ = listed_;
  }
  for (const StoreFile& file : to_check_) total_bytes_ += file.bytes;
  return absl::OkStatus();
}

void Verifier::Sort(const std::vector<FileListing::Entry>& files) {
  const std::string regions = RegionsDirectory(kHostDirectory);
  const std::string log = absl::StrCat(LogDirectory(kHostDirectory), "/");
  for (const FileListing::Entry& file : files) {
    if (absl::StartsWith(file.name, regions)) {
      listed_.push_back({file.name, file.size});
    } else if (absl::StartsWith(file.name, log)) {
      result_.log_bytes += file.size;
    }
  }
  total_bytes_ += result_.log_bytes;
}

void Verifier::CheckOwner(const std::vector<FileListing::Entry>& files) {
  const UsedEpoch used = LargestUsedEpoch(kHostDirectory, files);
  const absl::StatusOr<OwnerToken> owner = host_.LastOwner();
  const bool missing = absl::IsNotFound(owner.status());
  if (!owner.ok() && !missing) return Add(kOwnerFile, owner.status());
  const uint64_t recorded = owner.ok() ? owner->epoch : 0;
  if (used.epoch <= recorded) return;
  result_.problems.push_back(
      {used.file,
       absl::StrCat("epoch ", used.epoch, " in its name, and ",
                    missing ? absl::StrCat(kOwnerFile, " is missing")
                            : absl::StrCat("the last owner's, in ", kOwnerFile,
                                           ", is ", recorded),
                    ": the one is not of this host, or the other was lost or "
                    "put back")});
}

void Verifier::PrepareClosed() {
  const absl::StatusOr<CloseRecord> closed =
      CloseRecord::Read(host_.files(), kHostDirectory);
  if (!closed.ok()) return Add(kClosedFile, closed.status());
  expected_.SetClosed(*closed);
}

void Verifier::PrepareRegion(const Catalog::Entry& entry) {
  ++result_.regions;
  const std::string directory =
      RegionDirectory(kHostDirectory, entry.incarnation);
  const absl::StatusOr<Manifest> manifest = host_.ReadManifest(entry);
  if (!manifest.ok()) {
    Add(ManifestFileName(entry.incarnation), manifest.status());
    // Which files count is unknown: all that are there.
    for (const StoreFile& file : listed_) {
      if (absl::StartsWith(file.name, directory)) to_check_.push_back(file);
    }
    return;
  }
  expected_.AddRegion(*manifest);
  for (const ManifestFamily& family : manifest->families) {
    for (const ManifestFile& file : family.files) {
      to_check_.push_back({absl::StrCat(directory, file.name), file.bytes});
    }
  }
}

void Verifier::Check() {
  for (const StoreFile& file : to_check_) {
    CheckStoreFile(file);
    checked_bytes_ += file.bytes;
    ++checked_files_;
    on_progress_(checked_bytes_, checked_files_);
  }
  CheckLog();
  on_progress_(total_bytes_, checked_files_ + result_.log_segments);
}

void Verifier::CheckStoreFile(const StoreFile& file) {
  ++result_.store_files;
  result_.store_file_bytes += file.bytes;
  const absl::StatusOr<uint64_t> cells = shale::CheckStoreFile(
      host_.files(), file.name, file.bytes, *cache_, [this](uint64_t done) {
        on_progress_(checked_bytes_ + done, checked_files_);
      });
  if (cells.ok()) result_.cells += *cells;
  Add(file.name, cells.status());
}

void Verifier::CheckLog() {
  const std::string directory = LogDirectory(kHostDirectory);
  const absl::StatusOr<LogScan> log = LogScan::Open(host_.files(), directory);
  if (!log.ok()) return Add(directory, log.status());
  result_.log_segments = log->segments().size();
  Add(directory, expected_.Start(log->extent()));
  const auto check = [this](const LogRecord& record, const RecordPlace& place) {
    ++result_.log_records;
    Add(place.segment, CheckPayload(record, place));
    return absl::OkStatus();
  };
  Add(directory, log->ForEach(check));
}

void Verifier::Add(absl::string_view file, const absl::Status& status) {
  if (status.ok()) return;
  absl::string_view problem = status.message();
  // Most messages name the file themselves, behind what was done to it; the
  // log's a segment of it.
  const size_t at = problem.find(file);
  const size_t colon = problem.find(": ", at == problem.npos ? at : at + 1);
  if (at != problem.npos && colon != problem.npos) {
    const absl::string_view named = problem.substr(at, colon - at);
    if (!absl::StrContains(named, ' ')) {
      file = named;
      problem.remove_prefix(colon + 2);
    }
  }
  result_.problems.push_back({std::string(file), std::string(problem)});
}

}  // namespace shale
