#ifndef SHALE_REGION_STORE_FILE_NAMES_H_
#define SHALE_REGION_STORE_FILE_NAMES_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// Names for the new store files of a host's regions: never one twice, since the
// epoch is the owner's alone and rises with each. Thread-safe.
class StoreFileNames {
 public:
  explicit StoreFileNames(uint64_t epoch) : epoch_(epoch) {}

  // The epoch in the name of a store file; nothing for any other name.
  static std::optional<uint64_t> EpochOf(absl::string_view name);

  std::string Next() {
    return absl::StrFormat("%016x-%08x.store", epoch_,
                           next_.fetch_add(1, std::memory_order_relaxed));
  }

 private:
  const uint64_t epoch_;
  std::atomic<uint32_t> next_ = 1;  // Counts; orders nothing.
};

}  // namespace shale

#endif  // SHALE_REGION_STORE_FILE_NAMES_H_
