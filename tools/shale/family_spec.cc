#include "shale/tools/shale/family_spec.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "shale/filter/retention_rules.h"
#include "shale/storefile/bloom_kind.h"
#include "shale/storefile/compression.h"

namespace shale {
namespace {

constexpr DeleteRule kDeleteRules[] = {DeleteRule::kSequence,
                                       DeleteRule::kTimestamp};
constexpr Compression kCompressions[] = {Compression::kNone, Compression::kLz4,
                                         Compression::kZstd,
                                         Compression::kSnappy};
constexpr BloomKind kBlooms[] = {BloomKind::kNone, BloomKind::kRow,
                                 BloomKind::kRowColumn};

absl::string_view DeleteRuleName(DeleteRule rule) {
  return rule == DeleteRule::kSequence ? "sequence" : "timestamp";
}

// The value among `all` whose name is `text`.
template <typename T>
absl::Status Choose(absl::string_view text, absl::Span<const T> all,
                    absl::string_view (*name)(T), T& chosen) {
  std::vector<absl::string_view> names;
  for (const T value : all) {
    names.push_back(name(value));
    if (names.back() == text) {
      chosen = value;
      return absl::OkStatus();
    }
  }
  return absl::InvalidArgumentError(
      absl::StrCat("want ", absl::StrJoin(names, ", ")));
}

absl::Status ParseNumber(absl::string_view text, auto& value) {
  if (absl::SimpleAtoi(text, &value)) return absl::OkStatus();
  return absl::InvalidArgumentError("want a number");
}

// absl's units, and days.
absl::Status ParseTime(absl::string_view text, absl::Duration& duration) {
  int64_t days;
  absl::string_view number = text;
  if (absl::ConsumeSuffix(&number, "d") && absl::SimpleAtoi(number, &days)) {
    duration = absl::Hours(24) * days;
    return absl::OkStatus();
  }
  if (absl::ParseDuration(text, &duration)) return absl::OkStatus();
  return absl::InvalidArgumentError("want a time such as 90s, 12h or 30d");
}

std::string TimeText(absl::Duration duration) {
  const int64_t days = duration / absl::Hours(24);
  if (duration == absl::Hours(24) * days) return absl::StrCat(days, "d");
  return absl::FormatDuration(duration);
}

absl::Status SetOption(absl::string_view option, absl::string_view value,
                       ColumnFamilyOptions& family) {
  RetentionRules& rules = family.retention;
  if (option == "versions" && value == "all") {
    rules.max_versions = kAllVersions;
    return absl::OkStatus();
  }
  if (option == "versions") return ParseNumber(value, rules.max_versions);
  if (option == "min_versions") return ParseNumber(value, rules.min_versions);
  if (option == "ttl") return ParseTime(value, rules.ttl);
  if (option == "delete_rule") {
    return Choose<DeleteRule>(value, kDeleteRules, DeleteRuleName,
                              rules.delete_rule);
  }
  if (option == "compression") {
    return Choose<Compression>(value, kCompressions, CompressionName,
                               family.compression);
  }
  if (option == "bloom") {
    return Choose<BloomKind>(value, kBlooms, BloomKindName, family.bloom);
  }
  if (option == "block_bytes") return ParseNumber(value, family.block_bytes);
  return absl::InvalidArgumentError("there is no such option");
}

}  // namespace

absl::StatusOr<ColumnFamilyOptions> ParseFamilySpec(absl::string_view text) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits(':', 1));
  ColumnFamilyOptions family;
  family.name = std::string(parts.first);
  for (const absl::string_view setting :
       absl::StrSplit(parts.second, ',', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> option =
        absl::StrSplit(setting, absl::MaxSplits('=', 1));
    const absl::Status set = SetOption(option.first, option.second, family);
    if (!set.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "family ", family.name, ": \"", setting, "\": ", set.message()));
    }
  }
  return family;
}

std::string FamilySpecText(const ColumnFamilyOptions& family) {
  const ColumnFamilyOptions defaults;
  const RetentionRules& rules = family.retention;
  std::vector<std::string> options;
  if (rules.max_versions == kAllVersions) {
    options.push_back("versions=all");
  } else if (rules.max_versions != defaults.retention.max_versions) {
    options.push_back(absl::StrCat("versions=", rules.max_versions));
  }
  if (rules.min_versions != defaults.retention.min_versions) {
    options.push_back(absl::StrCat("min_versions=", rules.min_versions));
  }
  if (rules.ttl != defaults.retention.ttl) {
    options.push_back(absl::StrCat("ttl=", TimeText(rules.ttl)));
  }
  if (rules.delete_rule != defaults.retention.delete_rule) {
    options.push_back(
        absl::StrCat("delete_rule=", DeleteRuleName(rules.delete_rule)));
  }
  if (family.compression != defaults.compression) {
    options.push_back(
        absl::StrCat("compression=", CompressionName(family.compression)));
  }
  if (family.bloom != defaults.bloom) {
    options.push_back(absl::StrCat("bloom=", BloomKindName(family.bloom)));
  }
  if (family.block_bytes != defaults.block_bytes) {
    options.push_back(absl::StrCat("block_bytes=", family.block_bytes));
  }
  return absl::StrJoin(options, ",");
}

}  // namespace shale
