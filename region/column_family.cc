#include "shale/region/column_family.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "shale/base/escape.h"
#include "shale/base/status_macros.h"
#include "shale/cell/cell.h"

namespace shale {
namespace {

constexpr size_t kMaxRegionNameBytes = 255;
constexpr size_t kMaxBlockBytes = 16 << 20;

absl::Status ValidateName(absl::string_view what, absl::string_view name,
                          size_t max_bytes) {
  if (name.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("the ", what, " is empty"));
  }
  if (name.size() > max_bytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the ", what, " has ", name.size(), " bytes, at most ", max_bytes));
  }
  for (const char c : name) {
    if (!absl::ascii_isgraph(c) || c == ':') {
      return absl::InvalidArgumentError(
          absl::StrCat("the ", what, " '", EscapeBytes(name),
                       "' has a character that isn't printable, or a ':'"));
    }
  }
  return absl::OkStatus();
}

absl::Status ValidateFamily(const ColumnFamilyOptions& family) {
  SHALE_RETURN_IF_ERROR(
      ValidateName("column family's name", family.name, kMaxFamilyBytes));
  const auto error = [&family](absl::string_view what) {
    return absl::InvalidArgumentError(
        absl::StrCat("column family ", family.name, ": ", what));
  };
  const RetentionRules& retention = family.retention;
  if (retention.max_versions < 1) return error("max_versions is below 1");
  if (retention.min_versions < 0 ||
      retention.min_versions > retention.max_versions) {
    return error("min_versions is not between 0 and max_versions");
  }
  if (retention.ttl < absl::Microseconds(1)) {
    return error("ttl is below a microsecond");
  }
  if (retention.delete_rule != DeleteRule::kSequence &&
      retention.delete_rule != DeleteRule::kTimestamp) {
    return error("unknown delete rule");
  }
  if (family.block_bytes < 1 || family.block_bytes > kMaxBlockBytes) {
    return error("block_bytes is not between 1 and 16 MiB");
  }
  if (family.compression > Compression::kSnappy) {
    return error("unknown compression");
  }
  if (family.bloom > BloomKind::kRowColumn) return error("unknown bloom kind");
  return absl::OkStatus();
}

}  // namespace

absl::Status ValidateSchema(const RegionSchema& schema) {
  SHALE_RETURN_IF_ERROR(
      ValidateName("region's name", schema.name, kMaxRegionNameBytes));
  for (const std::string& bound : {schema.start_row, schema.end_row}) {
    if (bound.size() > kMaxRowBytes) {
      return absl::InvalidArgumentError(
          absl::StrCat("region ", schema.name, ": a bound has ", bound.size(),
                       " bytes, at most ", kMaxRowBytes));
    }
  }
  if (!schema.end_row.empty() && schema.start_row >= schema.end_row) {
    return absl::InvalidArgumentError(absl::StrCat(
        "region ", schema.name, ": start row ", EscapeBytes(schema.start_row),
        " is not before end row ", EscapeBytes(schema.end_row)));
  }
  if (schema.families.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("region ", schema.name, " has no column family"));
  }
  absl::flat_hash_set<absl::string_view> names;
  for (const ColumnFamilyOptions& family : schema.families) {
    SHALE_RETURN_IF_ERROR(ValidateFamily(family));
    if (!names.insert(family.name).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("column family ", family.name, " is there twice"));
    }
  }
  return absl::OkStatus();
}

}  // namespace shale
