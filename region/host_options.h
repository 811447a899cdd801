#ifndef SHALE_REGION_HOST_OPTIONS_H_
#define SHALE_REGION_HOST_OPTIONS_H_

#include <cstdint>
#include <string>

#include "shale/cache/block_cache.h"
#include "shale/region/region_components.h"
#include "shale/wal/wal_options.h"

namespace shale {

// How a RegionHost is opened: where, for what, and made of what.
struct HostOptions {
  // Under which the log and the regions lie in the file system.
  std::string directory = "host";
  // For people who find the directory taken: "shale import". The file system
  // adds what it knows, such as the process.
  std::string owner;
  // Make the host if the directory holds none; otherwise that is NOT_FOUND.
  bool create_if_missing = true;
  // Nothing is written: the log is replayed into memory only, and regions
  // refuse writes, flushes and compactions. Several may look at a directory at
  // a time; they and an owner keep each other out.
  bool read_only = false;
  // Take the wall clock for right as it reads when a region is opened.
  // Otherwise nothing expires for good by a clock that reads more than a year
  // beyond the region's last opening, or jumps by more than a day meanwhile:
  // see the metric shale_region_purge_clock_held_seconds.
  bool trust_wall_clock = false;
  // Space set aside on disk for the next flush and the next recovery, which
  // free more of it than they need; 0 for none. Should be no less than what a
  // flush writes. Range [0, 1 TiB].
  int64_t reserve_bytes = 64 << 20;
  WalOptions wal;
  BlockCacheOptions cache;
  RegionComponents components = DefaultRegionComponents();
};

}  // namespace shale

#endif  // SHALE_REGION_HOST_OPTIONS_H_
