#include "shale/region/testing/test_host.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/base/clock.h"
#include "shale/base/status_macros.h"

namespace shale {

RegionSchema TestHost::Schema(const RetentionRules& rules) {
  RegionSchema schema;
  schema.name = "r";
  ColumnFamilyOptions f;
  f.name = "f";
  f.retention = rules;
  ColumnFamilyOptions g;
  g.name = "g";
  schema.families = {f, g};
  return schema;
}

TestHost::TestHost(RegionSchema schema, RegionOptions region_options,
                   HostOptions host_options)
    : schema_(std::move(schema)),
      region_options_(region_options),
      host_options_(std::move(host_options)),
      clock_(RealClock()),
      executor_(2, clock_),
      background_(1, clock_),
      readers_(1, clock_),
      memory_(std::make_unique<MemoryFileSystem>(executor_)),
      files_(*memory_) {
  SHALE_CHECK_OK(Open());
}

TestHost::TestHost(FileSystem& files, RegionSchema schema,
                   RegionOptions region_options, HostOptions host_options,
                   Clock& clock)
    : schema_(std::move(schema)),
      region_options_(region_options),
      host_options_(std::move(host_options)),
      clock_(clock),
      executor_(2, clock_),
      background_(1, clock_),
      readers_(1, clock_),
      files_(files) {}

TestHost::~TestHost() {
  region_.reset();
  host_.reset();
}

absl::Status TestHost::Open() {
  const HostEnvironment environment{files_,   clock_,   executor_, background_,
                                    readers_, metrics_, log_};
  SHALE_ASSIGN_OR_RETURN(host_, RegionHost::Open(environment, host_options_));
  if (host_->RegionNames().empty() && !host_options_.read_only) {
    SHALE_RETURN_IF_ERROR(host_->CreateRegion(schema_));
  }
  SHALE_ASSIGN_OR_RETURN(region_,
                         host_->OpenRegion(schema_.name, region_options_));
  return absl::OkStatus();
}

absl::Status TestHost::Close() {
  absl::Status status;
  if (region_ != nullptr) status.Update(region_->Close());
  region_.reset();
  if (host_ != nullptr) status.Update(host_->Close());
  host_.reset();
  return status;
}

void TestHost::Reopen() {
  SHALE_CHECK_OK(Close());
  SHALE_CHECK_OK(Open());
}

void TestHost::ReopenRegion() {
  SHALE_CHECK_OK(region_->Close());
  region_.reset();
  absl::StatusOr<std::unique_ptr<Region>> opened =
      host_->OpenRegion(schema_.name, region_options_);
  SHALE_CHECK_OK(opened.status());
  region_ = *std::move(opened);
}

std::string Text(const RowResult& row, bool timestamps) {
  std::string text;
  for (const Cell& cell : row.cells) {
    absl::StrAppend(&text, text.empty() ? "" : " ", cell.row, "/", cell.family,
                    ":", cell.qualifier);
    if (timestamps) absl::StrAppend(&text, "@", cell.timestamp);
    absl::StrAppend(&text, "=", cell.value);
  }
  if (row.partial) absl::StrAppend(&text, " ...");
  return text;
}

std::string ScanText(const Region& region, const Scan& scan, bool timestamps) {
  absl::StatusOr<std::unique_ptr<RegionScanner>> scanner =
      region.NewScanner(scan);
  if (!scanner.ok()) return scanner.status().ToString();
  std::string text;
  for (;;) {
    absl::StatusOr<std::optional<RowResult>> row = (*scanner)->Next();
    if (!row.ok()) return absl::StrCat(text, row.status().ToString());
    if (!row->has_value()) return text;
    absl::StrAppend(&text, Text(**row, timestamps), "\n");
  }
}

std::string ReadText(const Region& region, absl::string_view row,
                     const ReadOptions& options, bool timestamps) {
  const absl::StatusOr<RowResult> result =
      region.Read({std::string(row), options});
  return result.ok() ? Text(*result, timestamps) : result.status().ToString();
}

}  // namespace shale
