#include "shale/cell/tags.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(TagsTest, TagsComeBackInTheOrderAppended) {
  std::string tags;
  const std::string long_bytes(300, 'x');
  AppendTag({.type = 8, .bytes = "ttl"}, &tags);
  AppendTag({.type = 255, .bytes = ""}, &tags);
  AppendTag({.type = 8, .bytes = long_bytes}, &tags);
  EXPECT_THAT(ParseTags(tags),
              IsOkAndHolds(ElementsAre(Tag{8, "ttl"}, Tag{255, ""},
                                       Tag{8, long_bytes})));
}

TEST(TagsTest, NoBytesAreNoTags) {
  EXPECT_THAT(ParseTags(""), IsOkAndHolds(IsEmpty()));
}

TEST(TagsTest, ACutTagIsDataLossWithItsOffset) {
  std::string tags;
  AppendTag({.type = 1, .bytes = "a"}, &tags);
  AppendTag({.type = 2, .bytes = "bc"}, &tags);
  for (const size_t length : {4, 5, 6}) {
    EXPECT_THAT(ParseTags(tags.substr(0, length)),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("offset 3")))
        << length;
  }
}

}  // namespace
}  // namespace shale
