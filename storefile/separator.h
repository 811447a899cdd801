#ifndef SHALE_STOREFILE_SEPARATOR_H_
#define SHALE_STOREFILE_SEPARATOR_H_

#include <string>

#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// A short key S with before < S <= key, as an index keeps for the block that
// begins with `key`: the first key of a row or of a column, of which no more is
// kept than sets it apart; or `key` itself if both are of one column. An empty
// `before` stands for what sorts before all keys. REQUIRES: before < key.
std::string ShortestSeparator(absl::string_view before, absl::string_view key);

}  // namespace shale

#endif  // SHALE_STOREFILE_SEPARATOR_H_
