#ifndef SHALE_REGION_DURABILITY_H_
#define SHALE_REGION_DURABILITY_H_

#include "shale/base/cxx_standard.h"

namespace shale {

// When a write counts as done; from the lowest level to the highest.
enum class Durability {
  kDefault,   // What is said elsewhere: of the batch, of RegionOptions.
  kSkipWal,   // In memory. Lost by a crash before the next flush.
  kAsyncWal,  // In the log's memory; on the device soon.
  kSyncWal,   // On the device.
  kFsyncWal,  // On the device, with the file's metadata.
};

// Whether it is one of them, and not a number that a caller made one of.
constexpr bool IsDurability(Durability level) {
  return level >= Durability::kDefault && level <= Durability::kFsyncWal;
}

}  // namespace shale

#endif  // SHALE_REGION_DURABILITY_H_
