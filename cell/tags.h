// A cell's tags: small typed byte strings that travel with it, such as a time
// to live of its own. Encoded, as CellView::tags holds them:
//
//   tags := tag*
//   tag  := type:u8 length:varint byte{length}
//
// docs/formats/cell.md
#ifndef SHALE_CELL_TAGS_H_
#define SHALE_CELL_TAGS_H_

#include <cstdint>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// One of a cell's tags. The bytes are somebody else's.
struct Tag {
  uint8_t type = 0;
  absl::string_view bytes;

  friend bool operator==(const Tag&, const Tag&) = default;
};

using TagList = absl::InlinedVector<Tag, 4>;

// Any type and any number of bytes will do; how much a cell may hold with its
// tags is for the region to say.
void AppendTag(const Tag& tag, std::string* out);

// The tags in the order in which they were appended; their bytes point into
// `tags`. DATA_LOSS, naming the offset, if these are no tags.
absl::StatusOr<TagList> ParseTags(absl::string_view tags);

}  // namespace shale

#endif  // SHALE_CELL_TAGS_H_
