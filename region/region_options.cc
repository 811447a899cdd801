#include "shale/region/region_options.h"

#include "absl/strings/str_cat.h"

namespace shale {
namespace {

constexpr int64_t kMaxFlushBytes = int64_t{1} << 40;

}  // namespace

absl::Status ValidateOptions(const RegionOptions& options) {
  const auto error = [](absl::string_view what, int64_t got) {
    return absl::InvalidArgumentError(
        absl::StrCat("RegionOptions: ", what, ", got ", got));
  };
  if (options.flush_bytes < (64 << 10)) {
    return error("flush_bytes is at least 65536", options.flush_bytes);
  }
  if (options.flush_bytes > kMaxFlushBytes) {
    return error("flush_bytes is at most 2^40", options.flush_bytes);
  }
  if (options.blocking_multiplier < 2 || options.blocking_multiplier > 1024) {
    return error("blocking_multiplier is between 2 and 1024",
                 options.blocking_multiplier);
  }
  if (options.write_timeout > kMaxWriteTimeout) {
    return absl::InvalidArgumentError(
        absl::StrCat("RegionOptions: write_timeout is at most ",
                     absl::FormatDuration(kMaxWriteTimeout), ", got ",
                     absl::FormatDuration(options.write_timeout)));
  }
  if (options.write_timeout < absl::ZeroDuration() ||
      options.timestamp_slop < absl::ZeroDuration()) {
    return absl::InvalidArgumentError("RegionOptions: a duration is negative");
  }
  if (options.nonce_grace <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError("RegionOptions: nonce_grace is none");
  }
  if (options.default_durability == Durability::kDefault ||
      !IsDurability(options.default_durability)) {
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
