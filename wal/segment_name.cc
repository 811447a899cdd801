#include "shale/wal/segment_name.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace shale {

std::string SegmentName(absl::string_view directory, SegmentId id) {
  return absl::StrCat(directory, directory.empty() ? "" : "/",
                      absl::StrFormat("%016x-%016x.wal", id.epoch, id.counter));
}

std::optional<SegmentId> ParseSegmentName(absl::string_view directory,
                                          absl::string_view name) {
  const size_t begin = directory.empty() ? 0 : directory.size() + 1;
  SegmentId id;
  if (name.size() != begin + 37 ||
      !absl::SimpleHexAtoi(name.substr(begin, 16), &id.epoch) ||
      !absl::SimpleHexAtoi(name.substr(begin + 17, 16), &id.counter)) {
    return std::nullopt;
  }
  // One id has one name: no upper case, no blanks, nothing else in between.
  if (SegmentName(directory, id) != name) return std::nullopt;
  return id;
}

}  // namespace shale
