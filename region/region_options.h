#ifndef SHALE_REGION_REGION_OPTIONS_H_
#define SHALE_REGION_REGION_OPTIONS_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "shale/region/durability.h"

namespace shale {

// What a longer timeout counts as: no write waits for ever.
inline constexpr absl::Duration kMaxWriteTimeout = absl::Hours(1);

// How one region uses memory and time while it is open; not kept on disk.
struct RegionOptions {
  // Memstore size at which a flush begins by itself. Range [64 KiB, 1 TiB].
  int64_t flush_bytes = 64 << 20;
  // Writes wait once the memstore holds this many times flush_bytes. Range
  // [2, 1024].
  int blocking_multiplier = 4;
  // What Durability::kDefault means here; not kDefault.
  Durability default_durability = Durability::kSyncWal;
  // Longest wait of a write, from its begin to its confirmation; also each wait
  // of a flush for the log. Range [0, kMaxWriteTimeout].
  absl::Duration write_timeout = absl::Seconds(30);
  // Largest cell: key, value and tags. Range [1, 64 MiB).
  size_t max_cell_bytes = 10 << 20;
  // How long an applied nonce is known. Positive.
  absl::Duration nonce_grace = absl::Minutes(30);
  // Explicit timestamps further ahead of the clock are refused.
  absl::Duration timestamp_slop = absl::InfiniteDuration();
};

// INVALID_ARGUMENT naming the first field out of its range.
absl::Status ValidateOptions(const RegionOptions& options);

}  // namespace shale

#endif  // SHALE_REGION_REGION_OPTIONS_H_
