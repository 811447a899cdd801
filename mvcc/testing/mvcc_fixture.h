#ifndef SHALE_MVCC_TESTING_MVCC_FIXTURE_H_
#define SHALE_MVCC_TESTING_MVCC_FIXTURE_H_

#include <cstdint>
#include <memory>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/cell/log_position.h"
#include "shale/cell/write_number.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/mvcc_variants.h"

namespace shale {

// Reserves a slot, which must be free, and begins a write of `count` operations
// that waits for the log to be durable up to `durable_at`.
inline WriteRange BeginWrite(Mvcc& mvcc, int64_t count = 1,
                             LogPosition durable_at = kLogStart) {
  bool granted = false;
  mvcc.Reserve([&granted] { granted = true; });
  EXPECT_TRUE(granted) << "no slot is free";
  const absl::StatusOr<BeginResult> begun = mvcc.Begin(
      count, [durable_at](WriteRange) { return Appended{durable_at}; });
  EXPECT_TRUE(begun.ok()) << begun.status();
  EXPECT_EQ(begun->durable_at, durable_at);
  return begun->range;
}

// A test that every variant of Mvcc must pass. A suite derives from it and is
// instantiated with
//   INSTANTIATE_TEST_SUITE_P(Variants, XTest,
//                            testing::ValuesIn(MvccVariants()),
//                            MvccVariantName);
class MvccFixture : public testing::TestWithParam<MvccVariant> {
 protected:
  std::unique_ptr<Mvcc> Create(const MvccOptions& options = {}) {
    return GetParam().create(options, clock_);
  }
  // Where writes leave one by one, and parked threads are woken in herds.
  static bool IsHeadOfLine() {
    return absl::string_view(GetParam().name) == "head_of_line";
  }

  ManualClock clock_;
};

inline std::string MvccVariantName(
    const testing::TestParamInfo<MvccVariant>& info) {
  return info.param.name;
}

}  // namespace shale

#endif  // SHALE_MVCC_TESTING_MVCC_FIXTURE_H_
