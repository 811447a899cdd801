#include "shale/region/region_reader.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/merging_scanner.h"
#include "shale/cell/vector_scanner.h"
#include "shale/cell/wall_timestamp.h"
#include "shale/region/family_scanner.h"
#include "shale/storefile/bloom_kind.h"
#include "shale/storefile/store_file_info.h"
#include "shale/storefile/store_file_reader.h"

namespace shale {
namespace {

// The families to read, by name; each with its id and its qualifiers, sorted
// and without doubles, none meaning all.
struct Selection {
  size_t id = 0;
  std::vector<std::string> qualifiers;
};

absl::StatusOr<std::map<std::string, Selection>> Select(
    const RegionSchema& schema, const std::vector<ColumnSelection>& columns) {
  std::map<std::string, Selection> all;
  for (size_t id = 0; id < schema.families.size(); ++id) {
    all[schema.families[id].name] = {id, {}};
  }
  if (columns.empty()) return all;
  std::map<std::string, Selection> selected;
  std::vector<std::string> whole;  // Families asked for without a qualifier.
  for (const ColumnSelection& of_family : columns) {
    const auto known = all.find(of_family.family);
    if (known == all.end()) {
      return absl::NotFoundError(
          absl::StrCat("region ", schema.name, " has no column family '",
                       EscapeBytes(of_family.family), "'"));
    }
    Selection& selection = selected[of_family.family];
    selection.id = known->second.id;
    selection.qualifiers.insert(selection.qualifiers.end(),
                                of_family.qualifiers.begin(),
                                of_family.qualifiers.end());
    if (of_family.qualifiers.empty()) whole.push_back(of_family.family);
  }
  for (const std::string& family : whole) selected[family].qualifiers.clear();
  for (auto& [family, selection] : selected) {
    std::vector<std::string>& qualifiers = selection.qualifiers;
    std::sort(qualifiers.begin(), qualifiers.end());
    qualifiers.erase(std::unique(qualifiers.begin(), qualifiers.end()),
                     qualifiers.end());
  }
  return selected;
}

// The one row that `scan` can return, if there is only one.
std::optional<absl::string_view> OnlyRow(const Scan& scan) {
  if (scan.start_row.empty() || scan.start_row != scan.stop_row ||
      !scan.include_start || !scan.include_stop) {
    return std::nullopt;
  }
  return scan.start_row;
}

// False if `file` surely holds none of the row's columns `qualifiers`, none
// meaning all, and no family marker of the row, which concerns each of them.
absl::StatusOr<bool> MayContain(const StoreFileReader& file,
                                absl::string_view row,
                                absl::Span<const std::string> qualifiers) {
  if (qualifiers.empty() || file.info().bloom != BloomKind::kRowColumn) {
    return file.MayContainRow(row);
  }
  for (const std::string& qualifier : qualifiers) {
    SHALE_ASSIGN_OR_RETURN(const bool may,
                           file.MayContainColumn(row, qualifier));
    if (may) return true;
  }
  return false;
}

// The rows that a read is about, both included; an empty last one means to the
// end.
struct RowRange {
  absl::string_view first;
  absl::string_view last;
};

// False if `file` surely holds nothing that the read depends on, by its bounds
// and its info, without a look at its blocks. What is newer than the time range
// counts by what it hides: by its deletes, and under the rule `sequence` in any
// case, as there versions are counted before the range is applied.
bool IsOfInterest(const StoreFile& file, const RowRange& rows,
                  const RetentionRules& rules, const ReadView& read) {
  if (!file.MayHoldRows(rows.first, rows.last)) return false;
  const StoreFileInfo& info = file.reader().info();
  if (info.max_timestamp < OldestThatCounts(rules, read)) return false;
  return rules.delete_rule == DeleteRule::kSequence || info.deletes > 0 ||
         info.min_timestamp < read.time_range.max || read.time_range.all();
}

// The same by its bloom too. `qualifiers` are the columns that are asked for,
// none meaning all.
absl::StatusOr<bool> MayMatter(const StoreFile& file, const Scan& scan,
                               const RetentionRules& rules,
                               const ReadView& read,
                               absl::Span<const std::string> qualifiers) {
  if (!IsOfInterest(file, {scan.start_row, scan.stop_row}, rules, read)) {
    return false;
  }
  const std::optional<absl::string_view> row = OnlyRow(scan);
  if (!row.has_value()) return true;
  return MayContain(file.reader(), *row, qualifiers);
}

using Scanners = std::vector<std::unique_ptr<CellScanner>>;

void AddMemstores(const StoreView& store, Scanners& scanners) {
  scanners.push_back(store.active->NewScanner());
  if (store.frozen != nullptr) scanners.push_back(store.frozen->NewScanner());
}

absl::Status AddFiles(const StoreView& store, const Scan& scan,
                      const RetentionRules& rules, const ReadView& read,
                      absl::Span<const std::string> qualifiers,
                      Scanners& scanners) {
  for (const std::shared_ptr<StoreFile>& file : store.files) {
    SHALE_ASSIGN_OR_RETURN(const bool matters,
                           MayMatter(*file, scan, rules, read, qualifiers));
    if (!matters) continue;
    scanners.push_back(
        file->NewScanner(StoreFileScanOptions{scan.options.fill}));
  }
  return absl::OkStatus();
}

// Numbers of cells that are yet to be written count on from here, above all
// that were ever minted.
constexpr WriteNumber kPending{uint64_t{1} << 63};

void AddPending(absl::Span<const PlacedCell> pending, Scanners& scanners) {
  std::vector<Cell> cells;
  for (const PlacedCell& placed : pending) {
    cells.emplace_back(placed.cell);
    cells.back().number = kPending + placed.cell.number.value;
  }
  if (cells.empty()) return;
  std::sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) {
    return CompareCells(a.view(), b.view()) < 0;
  });
  scanners.push_back(NewVectorScanner(std::move(cells)));
}

// No cell of `files` that counts for a read of the row is newer than this.
Timestamp NewestInFiles(const std::vector<std::shared_ptr<StoreFile>>& files,
                        absl::string_view row, const RetentionRules& rules,
                        const ReadView& read) {
  Timestamp newest = kMinTimestamp - 1;
  for (const std::shared_ptr<StoreFile>& file : files) {
    if (!IsOfInterest(*file, {row, row}, rules, read)) continue;
    newest = std::max(newest, file->reader().info().max_timestamp);
  }
  return newest;
}

Scan ScanOfRow(absl::string_view row, const ReadOptions& options) {
  Scan scan;
  scan.start_row = std::string(row);
  scan.stop_row = std::string(row);
  scan.include_stop = true;
  scan.options = options;
  return scan;
}

absl::StatusOr<RowResult> OnlyResult(absl::string_view row,
                                     RegionScanner& scanner) {
  SHALE_ASSIGN_OR_RETURN(std::optional<RowResult> result, scanner.Next());
  if (result.has_value()) return *std::move(result);
  RowResult none;
  none.row = std::string(row);
  return none;
}

// Where a scan's families stop; empty if they don't.
std::string StopKey(const Scan& scan) {
  if (scan.stop_row.empty()) return "";
  return scan.include_stop ? FirstKeyAfterRow(scan.stop_row)
                           : FirstKeyOfRow(scan.stop_row);
}

absl::Status CheckRow(absl::string_view what, absl::string_view row) {
  if (row.size() <= kMaxRowBytes) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the ", what, " has ", row.size(), " bytes, at most ", kMaxRowBytes));
}

absl::Status CheckOptions(const ReadOptions& options) {
  if (options.max_versions < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("max_versions is ", options.max_versions, ", at least 1"));
  }
  if (options.time_range.min < 0 ||
      options.time_range.min > options.time_range.max) {
    return absl::InvalidArgumentError(
        absl::StrCat("time range [", options.time_range.min, ", ",
                     options.time_range.max, ") is none"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RowResult> RegionReader::Read(const Get& get) const {
  if (get.row.empty()) return absl::InvalidArgumentError("the row is empty");
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<RegionScanner> scanner,
                         NewScanner(ScanOfRow(get.row, get.options)));
  return OnlyResult(get.row, *scanner);
}

absl::StatusOr<RowResult> RegionReader::ReadAt(const Get& get,
                                               WriteNumber read_point) const {
  SHALE_ASSIGN_OR_RETURN(
      const std::unique_ptr<RegionScanner> scanner,
      NewScannerAt(ScanOfRow(get.row, get.options), read_point));
  return OnlyResult(get.row, *scanner);
}

absl::StatusOr<std::unique_ptr<RegionScanner>> RegionReader::NewScanner(
    const Scan& scan) const {
  std::optional<WriteNumber> read_point;
  if (scan.options.isolation == IsolationLevel::kReadUncommitted) {
    read_point = kMaxWriteNumber;
  }
  return NewScannerAt(scan, read_point);
}

absl::StatusOr<std::unique_ptr<RegionScanner>> RegionReader::NewScannerAt(
    const Scan& scan, std::optional<WriteNumber> read_point) const {
  SHALE_RETURN_IF_ERROR(CheckOptions(scan.options));
  SHALE_RETURN_IF_ERROR(CheckRow("start row", scan.start_row));
  SHALE_RETURN_IF_ERROR(CheckRow("stop row", scan.stop_row));
  if (scan.row_limit < 0 || scan.batch_cells < 0) {
    return absl::InvalidArgumentError("a limit is negative");
  }
  using Selections = std::map<std::string, Selection>;
  SHALE_ASSIGN_OR_RETURN(const Selections selected,
                         Select(schema_, scan.options.columns));
  // The pin first: what becomes invisible to the view afterwards is kept by it.
  ReadPin pin = mvcc_.Pin();
  const std::shared_ptr<const RegionView> view = stores_.view();
  ReadView read;
  read.read_point = read_point.value_or(pin.read_point());
  read.now = WallTimestamp(clock_);
  read.time_range = scan.options.time_range;
  read.max_versions = scan.options.max_versions;
  std::vector<std::unique_ptr<FamilyScanner>> families;
  for (const auto& [name, selection] : selected) {
    const RetentionRules& rules = schema_.families[selection.id].retention;
    const StoreView& store = (*view)[selection.id];
    Scanners scanners;
    AddMemstores(store, scanners);
    SHALE_RETURN_IF_ERROR(
        AddFiles(store, scan, rules, read, selection.qualifiers, scanners));
    families.push_back(std::make_unique<FamilyScanner>(
        view, NewMergingScanner(std::move(scanners)), name, rules, read,
        selection.qualifiers, StopKey(scan)));
  }
  return std::make_unique<RegionScanner>(std::move(pin), scan,
                                         std::move(families));
}

absl::StatusOr<std::optional<NewestCell>> RegionReader::ReadNewest(
    const ColumnRequest& column, absl::Span<const PlacedCell> pending,
    Timestamp now, ReadDepth depth) const {
  // Needs no pin: whatever is dropped, the newest state stays.
  const std::shared_ptr<const RegionView> view = stores_.view();
  const StoreView& store = (*view)[column.family];
  const RetentionRules& rules = schema_.families[column.family].retention;
  ReadView read;
  read.now = now;
  read.time_range = column.time_range;
  Scanners scanners;
  AddPending(pending, scanners);
  AddMemstores(store, scanners);
  SHALE_ASSIGN_OR_RETURN(NewestCell found,
                         FindNewest(view, column, read, std::move(scanners)));
  // Files hold older writes alone. They can still matter by their timestamps: a
  // put with a larger one comes first, and by the rule `timestamp` a delete
  // with a larger or equal one masks.
  const Timestamp in_files =
      NewestInFiles(store.files, column.row, rules, read);
  if (in_files < kMinTimestamp ||
      (found.cell.has_value() && found.cell->timestamp > in_files)) {
    return found;
  }
  if (depth == ReadDepth::kMemory) return std::nullopt;
  scanners.clear();
  AddPending(pending, scanners);
  AddMemstores(store, scanners);
  SHALE_RETURN_IF_ERROR(AddFiles(store, ScanOfRow(column.row, {}), rules, read,
                                 {std::string(column.qualifier)}, scanners));
  SHALE_ASSIGN_OR_RETURN(found,
                         FindNewest(view, column, read, std::move(scanners)));
  return found;
}

absl::StatusOr<NewestCell> RegionReader::FindNewest(
    const std::shared_ptr<const RegionView>& view, const ColumnRequest& column,
    const ReadView& read, Scanners scanners) const {
  const ColumnFamilyOptions& family = schema_.families[column.family];
  FamilyScanner scanner(view, NewMergingScanner(std::move(scanners)),
                        family.name, family.retention, read,
                        {std::string(column.qualifier)},
                        FirstKeyAfterRow(column.row));
  SHALE_RETURN_IF_ERROR(scanner.Seek(FirstKeyOfRow(column.row)));
  NewestCell found;
  if (scanner.cell() != nullptr) {
    found.cell = Cell(*scanner.cell());
    found.pending = found.cell->number >= kPending;
  }
  // Behind a pending cell there may be others, of any number minted so far.
  found.newest_read = scanner.newest_judged() < kPending
                          ? scanner.newest_judged()
                          : mvcc_.WritePoint();
  return found;
}

}  // namespace shale
