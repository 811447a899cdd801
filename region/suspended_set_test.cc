#include "shale/region/suspended_set.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Operation {
  absl::Duration deadline;
};
using Set = SuspendedSet<Operation>;

Set::Ptr WithDeadline(int seconds) {
  return std::make_shared<Operation>(Operation{absl::Seconds(seconds)});
}

TEST(SuspendedSetTest, AnOperationIsTakenOutOnce) {
  Set set;
  const Set::Ptr operation = WithDeadline(1);
  EXPECT_EQ(set.Add(operation), Set::Added::kAddedFirst);
  EXPECT_TRUE(set.Take(operation));
  EXPECT_FALSE(set.Take(operation));
  EXPECT_TRUE(set.empty());
  EXPECT_THAT(set.TakeExpired(absl::Seconds(9)).late, IsEmpty());
}

TEST(SuspendedSetTest, LateOnesAreTakenOutAndTheNextDeadlineTold) {
  Set set;
  const Set::Ptr soon = WithDeadline(2);
  const Set::Ptr later = WithDeadline(5);
  EXPECT_EQ(set.Add(later), Set::Added::kAddedFirst);
  EXPECT_EQ(set.Add(WithDeadline(9)), Set::Added::kAdded);
  EXPECT_EQ(set.Add(soon), Set::Added::kAddedFirst);
  const Set::Expired expired = set.TakeExpired(absl::Seconds(2));
  EXPECT_THAT(expired.late, ElementsAre(soon));
  EXPECT_EQ(expired.next, absl::Seconds(5));
  EXPECT_FALSE(set.Take(soon));
  EXPECT_TRUE(set.Take(later));
}

TEST(SuspendedSetTest, AClosedSetGivesAllAndTakesNone) {
  Set set;
  const Set::Ptr operation = WithDeadline(1);
  set.Add(operation);
  EXPECT_OK(set.closed());
  EXPECT_THAT(set.Close(absl::UnknownError("first")), ElementsAre(operation));
  EXPECT_THAT(set.Close(absl::UnknownError("second")), IsEmpty());
  EXPECT_EQ(set.closed(), absl::UnknownError("first"));
  EXPECT_EQ(set.Add(operation), Set::Added::kNot);
  EXPECT_TRUE(set.empty());
}

}  // namespace
}  // namespace shale
