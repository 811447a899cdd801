#ifndef SHALE_TOOLS_SHALE_READ_OPTIONS_H_
#define SHALE_TOOLS_SHALE_READ_OPTIONS_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "shale/region/read_request.h"

namespace shale {

// What is read of each row, by --versions, --min_timestamp and --max_timestamp.
// `columns` are FAMILY:QUALIFIER or FAMILY; none means all. INVALID_ARGUMENT.
absl::StatusOr<ReadOptions> ReadOptionsFromFlags(
    absl::Span<const std::string> columns);

// The same for a scan, with --columns, --start, --stop and --limit too.
absl::StatusOr<Scan> ScanFromFlags();

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_READ_OPTIONS_H_
