#ifndef SHALE_STOREFILE_BLOCK_BUILDER_H_
#define SHALE_STOREFILE_BLOCK_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// Builds the raw bytes of a block of sorted entries, data or index:
//
//   entries := entry* restart:u32{restarts} restarts:u32
//   entry   := shared:varint unshared:varint value_and_tags:varint
//              [tags_length:varint] key:byte{unshared} value tags
//
// An entry's key begins with the first `shared` bytes of the key before; at a
// restart point, every `restart_interval` entries, with none of them. `restart`
// is the offset of such an entry. value_and_tags is twice the value's length,
// plus one if there are tags. Not thread-safe.
class BlockBuilder {
 public:
  // REQUIRES: restart_interval >= 1.
  explicit BlockBuilder(int restart_interval)
      : restart_interval_(restart_interval) {}

  // REQUIRES: key >= the last one's in the order of CompareCellKeys.
  void Add(absl::string_view key, absl::string_view value,
           absl::string_view tags);

  // Of Finish().
  size_t raw_bytes() const {
    return entries_.size() + sizeof(uint32_t) * (restarts_.size() + 1);
  }
  size_t entries() const { return count_; }
  bool empty() const { return count_ == 0; }

  // The block's bytes, and an empty builder. REQUIRES: not empty.
  std::string Finish();

 private:
  const int restart_interval_;
  std::string entries_;
  std::vector<uint32_t> restarts_;
  size_t count_ = 0;
  int since_restart_ = 0;
  std::string last_key_;
};

}  // namespace shale

#endif  // SHALE_STOREFILE_BLOCK_BUILDER_H_
