#ifndef SHALE_TOOLS_SHALE_FAMILY_SPEC_H_
#define SHALE_TOOLS_SHALE_FAMILY_SPEC_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/region/column_family.h"

namespace shale {

// "raw:versions=3,ttl=30d" as a column family; what isn't said has the default
// of ColumnFamilyOptions. INVALID_ARGUMENT names the option and what it takes;
// ranges are checked by ValidateSchema().
absl::StatusOr<ColumnFamilyOptions> ParseFamilySpec(absl::string_view text);

// The options as text that ParseFamilySpec() takes, without the family's name
// and without those at their default.
std::string FamilySpecText(const ColumnFamilyOptions& family);

inline constexpr absl::string_view kFamilySpecHelp =
    "Options of a column family\n"
    "  versions=N          versions kept of a column, or all (default 1)\n"
    "  min_versions=N      of those, kept beyond their ttl (default 0)\n"
    "  ttl=TIME            time after which a cell expires, as 90s, 12h or "
    "30d\n"
    "  delete_rule=RULE    sequence (default): a delete hides what was "
    "written\n"
    "                      before it; timestamp: also what is written later\n"
    "  compression=CODEC   none (default), lz4, zstd or snappy\n"
    "  bloom=KIND          none, row (default) or row_column\n"
    "  block_bytes=N       size at which a data block ends (default 65536)";

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_FAMILY_SPEC_H_
