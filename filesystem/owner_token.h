#ifndef SHALE_FILESYSTEM_OWNER_TOKEN_H_
#define SHALE_FILESYSTEM_OWNER_TOKEN_H_

#include <cstdint>
#include <string>

#include "shale/base/cxx_standard.h"

namespace shale {

// Who may change the files of an owned directory. A larger epoch fences a
// smaller one.
struct OwnerToken {
  // The directory that is owned, as given to FileSystem::Acquire.
  std::string directory;
  // Rises by at least one with each change of owner; 0 owns nothing.
  uint64_t epoch = 0;
  // For people: "pid 4711 on host db1".
  std::string owner;

  friend bool operator==(const OwnerToken&, const OwnerToken&) = default;
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_OWNER_TOKEN_H_
