#include "shale/region/region_replay.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/cell/cell_list_codec.h"

namespace shale {

absl::StatusOr<ReplayedCells> InsertReplay(const RegionReplay& replay,
                                           const Manifest& manifest,
                                           const RegionView& view) {
  absl::flat_hash_map<absl::string_view, size_t> ids;
  for (size_t id = 0; id < manifest.families.size(); ++id) {
    ids[manifest.families[id].options.name] = id;
  }
  ReplayedCells inserted;
  inserted.last_number = replay.last_number;
  inserted.newest_timestamp = replay.newest_timestamp;
  for (const RegionReplay::Record& record : replay.records) {
    const auto context = [&](absl::string_view what) {
      return absl::StrCat("region ", manifest.name, ": log record of writes ",
                          record.range.first.value, " to ",
                          record.range.last.value, ": ", what);
    };
    CellListReader cells(record.payload, record.range.first);
    for (;;) {
      const absl::StatusOr<const CellView*> cell = cells.Next();
      if (!cell.ok()) {
        return absl::DataLossError(context(cell.status().message()));
      }
      if (*cell == nullptr) break;
      const auto id = ids.find((*cell)->family);
      if (id == ids.end()) {
        return absl::DataLossError(context(absl::StrCat(
            "no column family '", EscapeBytes((*cell)->family), "'")));
      }
      if ((*cell)->number <= manifest.families[id->second].flushed) continue;
      view[id->second].active->Insert(**cell);
      inserted.memory_bytes +=
          static_cast<int64_t>(MemstoreSegment::CellBytes(**cell));
    }
  }
  return inserted;
}

void HostReplay::AddRegion(const Manifest& manifest) {
  Region& region = regions_[manifest.incarnation];
  region.name = manifest.name;
  region.first_needed = manifest.first_needed;
  for (const ManifestFamily& family : manifest.families) {
    region.flushed.push_back(family.flushed);
  }
}

absl::Status HostReplay::Start(const LogExtent& extent) {
  // Whether the log is whole up to its end, it knows itself. But not how far it
  // went once.
  SHALE_RETURN_IF_ERROR(closed_.Check(extent));
  for (const auto& [incarnation, region] : regions_) {
    if (region.first_needed <= extent.end) continue;
    return absl::DataLossError(absl::StrCat(
        extent.DescribeEnd(), ", and by the manifest of region ", region.name,
        " it was durable to log position ", region.first_needed.value));
  }
  return absl::OkStatus();
}

bool HostReplay::Needs(const LogRecord& record) {
  const auto it = regions_.find(record.entry.region);
  if (it == regions_.end()) return false;
  Region& region = it->second;
  RegionReplay& replay = region.replay;
  replay.last_number = std::max(replay.last_number, record.entry.range.last);
  replay.newest_timestamp =
      std::max(replay.newest_timestamp, record.entry.commit_timestamp);
  if (record.entry.type != LogEntryType::kCells) return false;
  if (record.entry.nonce.nonce != 0) {
    replay.nonces.push_back({record.entry.nonce, record.entry.range,
                             record.entry.commit_timestamp});
  }
  for (size_t id = 0; id < region.flushed.size(); ++id) {
    const uint64_t bit = uint64_t{1} << std::min<size_t>(id, 63);
    if ((record.entry.families & bit) != 0 &&
        record.entry.range.last > region.flushed[id]) {
      return true;
    }
  }
  return false;
}

absl::Status HostReplay::Replay(const LogRecord& record) {
  Region& region = regions_[record.entry.region];
  region.replay.records.push_back(
      {record.entry.range, std::string(record.entry.payload)});
  return absl::OkStatus();
}

const RegionReplay& HostReplay::Find(const Uuid& incarnation) const {
  static const RegionReplay& nothing = *new RegionReplay;
  const auto it = regions_.find(incarnation);
  return it == regions_.end() ? nothing : it->second.replay;
}

void HostReplay::Forget(const Uuid& incarnation) {
  regions_.erase(incarnation);
}

bool HostReplay::HoldsRecords() const {
  return std::any_of(regions_.begin(), regions_.end(), [](const auto& entry) {
    return !entry.second.replay.records.empty();
  });
}

}  // namespace shale
