#include "shale/region/used_epoch.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "shale/region/store_file_names.h"
#include "shale/wal/segment_name.h"

namespace shale {
namespace {

std::optional<uint64_t> EpochIn(absl::string_view log, absl::string_view file) {
  const std::optional<SegmentId> segment = ParseSegmentName(log, file);
  if (segment.has_value()) return segment->epoch;
  return StoreFileNames::EpochOf(file.substr(file.rfind('/') + 1));
}

}  // namespace

UsedEpoch LargestUsedEpoch(absl::string_view directory,
                           absl::Span<const FileListing::Entry> files) {
  const std::string log = absl::StrCat(directory, "/wal");
  UsedEpoch largest;
  for (const FileListing::Entry& file : files) {
    const std::optional<uint64_t> epoch = EpochIn(log, file.name);
    if (epoch.has_value() && (largest.file.empty() || *epoch > largest.epoch)) {
      largest = {*epoch, file.name};
    }
  }
  return largest;
}

}  // namespace shale
