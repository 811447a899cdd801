#include "shale/wal/log_extent.h"

#include "absl/strings/str_cat.h"

namespace shale {

std::string LogExtent::DescribeEnd() const {
  if (epoch == 0) return "there is no log";
  return absl::StrCat(last_segment, ": ends at offset ", end_offset,
                      ", at log position ", end.value);
}

}  // namespace shale
