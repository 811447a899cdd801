#include "shale/cell/tags.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shale/base/coding.h"

namespace shale {

void AppendTag(const Tag& tag, std::string* out) {
  PutFixed8(out, tag.type);
  PutLengthPrefixed(out, tag.bytes);
}

absl::StatusOr<TagList> ParseTags(absl::string_view tags) {
  TagList list;
  Decoder in(tags);
  while (in.remaining() > 0) {
    const size_t offset = in.offset();
    Tag& tag = list.emplace_back();
    if (!in.ReadFixed8(&tag.type) || !in.ReadLengthPrefixed(&tag.bytes)) {
      return absl::DataLossError(
          absl::StrCat("bad tag at offset ", offset, " of ", tags.size()));
    }
  }
  return list;
}

}  // namespace shale
