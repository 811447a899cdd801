#include "shale/wal/wal_options.h"

#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"

namespace shale {
namespace {

absl::Status CheckRange(absl::string_view name, int64_t value, int64_t least,
                        int64_t most) {
  if (value >= least && value <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "wal option ", name, ": ", value, ", want ", least, " to ", most));
}

absl::Status CheckPositive(absl::string_view name, absl::Duration value) {
  if (value > absl::ZeroDuration()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("wal option ", name, ": ",
                                                 absl::FormatDuration(value),
                                                 ", want more than 0"));
}

}  // namespace

absl::Status ValidateWalOptions(const WalOptions& options) {
  constexpr int64_t kKiB = int64_t{1} << 10;
  constexpr int64_t kGiB = int64_t{1} << 30;
  SHALE_RETURN_IF_ERROR(
      CheckRange("segment_bytes", options.segment_bytes, 64 * kKiB, 4 * kGiB));
  SHALE_RETURN_IF_ERROR(
      CheckRange("max_segments", options.max_segments, 1, 1 << 20));
  SHALE_RETURN_IF_ERROR(
      CheckRange("buffer_bytes", options.buffer_bytes, 64 * kKiB, kGiB));
  SHALE_RETURN_IF_ERROR(
      CheckRange("syncer_threads", options.syncer_threads, 1, 64));
  SHALE_RETURN_IF_ERROR(CheckPositive("sync_timeout", options.sync_timeout));
  return CheckPositive("stall_retry", options.stall_retry);
}

}  // namespace shale
