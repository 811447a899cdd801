#include "shale/region/region_options.h"

#include "absl/strings/str_cat.h"

namespace shale {

absl::Status ValidateOptions(const RegionOptions& options) {
  const auto error = [](absl::string_view what, int64_t got) {
    return absl::InvalidArgumentError(
        absl::StrCat("RegionOptions: ", what, ", got ", got));
  };
  if (options.flush_bytes < (64 << 10)) {
    return error("flush_bytes is at least 65536", options.flush_bytes);
  }
  if (options.blocking_multiplier < 2) {
    return error("blocking_multiplier is at least 2",
                 options.blocking_multiplier);
  }
  if (options.default_durability == Durability::kDefault) {
    return absl::InvalidArgumentError(
        "RegionOptions: default_durability names no level");
  }
  if (options.max_cell_bytes < 1 || options.max_cell_bytes >= (64 << 20)) {
    return error("max_cell_bytes is at least 1 and less than 64 MiB",
                 static_cast<int64_t>(options.max_cell_bytes));
  }
  return absl::OkStatus();
}

}  // namespace shale
