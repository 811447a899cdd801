#ifndef SHALE_REGION_MANIFEST_H_
#define SHALE_REGION_MANIFEST_H_

#include <cstdint>
#include <string>
#include <vector>

#include "shale/base/uuid.h"
#include "shale/cell/log_position.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"
#include "shale/region/applied_nonce.h"
#include "shale/region/column_family.h"

namespace shale {

// A live store file of a family.
struct ManifestFile {
  // Within the region's directory.
  std::string name;
  uint64_t bytes = 0;
  // Which of its rows count: from `low` to before `high`; empty is open.
  std::string low;
  std::string high;

  friend bool operator==(const ManifestFile&, const ManifestFile&) = default;
};

struct ManifestFamily {
  ColumnFamilyOptions options;
  // Every cell numbered up to here is in `files` (or was dropped for good).
  WriteNumber flushed;
  // Newest first.
  std::vector<ManifestFile> files;
};

// The truth about one region, replaced as a whole. What it does not name is not
// part of the region, whatever lies in the directory.
struct Manifest {
  // Names the region in the log; a new one for each region ever made.
  Uuid incarnation;
  // Differs in each commit, so that its writer recognises its own.
  Uuid commit_id;
  std::string name;
  std::string start_row;
  std::string end_row;
  std::vector<ManifestFamily> families;
  // No number above this was minted before the commit, and none up to it is
  // minted after the next open. Ahead of the last number in use while the
  // region is open (see kNumbersAhead), equal to it after a clean close.
  WriteNumber high_water;
  // Recovery needs the log from here on.
  LogPosition first_needed;
  // No server-made timestamp after the next open is at or below it.
  Timestamp clock_floor = 0;
  // Operations that were applied, durably, and may be sent again: all that are
  // flushed, as the log may have forgotten them, within the bounds of
  // NonceRegistry. Oldest first.
  std::vector<AppliedNonce> nonces;
  // What PurgeClock believed the time to be; 0 if nothing is known.
  Timestamp believed_time = 0;

  RegionSchema schema() const;
  // Every cell of the region numbered up to here is in store files.
  WriteNumber flushed() const;
};

// How far high_water runs ahead while a region is open: more numbers than can
// be minted between two flushes, so that none is used twice though writes that
// skip the log leave no trace of theirs.
inline constexpr uint64_t kNumbersAhead = uint64_t{1} << 32;

}  // namespace shale

#endif  // SHALE_REGION_MANIFEST_H_
