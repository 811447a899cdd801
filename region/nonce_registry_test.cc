#include "shale/region/nonce_registry.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/test_seed.h"

namespace shale {
namespace {

constexpr absl::Duration kGrace = absl::Minutes(30);

AppliedNonce Applied(uint64_t nonce, uint64_t number, Timestamp timestamp = 0) {
  return {{1, nonce}, {{number}, {number}}, timestamp};
}

class NonceRegistryTest : public testing::Test {
 protected:
  // Its answer, once there is one: "run", the number written, or the error.
  struct Claim {
    std::string answer;
  };

  // Claims `nonce`, with `timeout`, for `claim`, which outlives it.
  void Start(Claim& claim, uint64_t nonce,
             absl::Duration timeout = absl::Minutes(1)) {
    registry_.Claim(
        {1, nonce}, clock_.Monotonic() + timeout,
        [&claim](const absl::StatusOr<std::optional<NonceOutcome>>& result) {
          EXPECT_EQ(claim.answer, "") << "answered twice";
          claim.answer =
              !result.ok() ? absl::StatusCodeToString(result.status().code())
              : result->has_value() ? absl::StrCat((*result)->range.last.value)
                                    : "run";
        });
  }
  std::string ClaimNow(uint64_t nonce) {
    Claim claim;
    Start(claim, nonce);
    return claim.answer;
  }

  void Succeed(uint64_t nonce, uint64_t number) {
    registry_.NoteAppended(Applied(nonce, number), kLogStart);
    registry_.Succeed({1, nonce}, {});
  }

  ManualClock clock_;
  DeterministicExecutor executor_{clock_, 1};
  NonceRegistry registry_{kGrace, clock_, executor_};
};

TEST_F(NonceRegistryTest, ARepeatOfWhatEndedWellGetsItsOutcome) {
  EXPECT_EQ(ClaimNow(7), "run");
  Succeed(7, 42);
  EXPECT_EQ(ClaimNow(7), "42");
  EXPECT_EQ(ClaimNow(8), "run");
  registry_.Release({1, 8});
}

TEST_F(NonceRegistryTest, ARepeatOfWhatCameToNothingRuns) {
  EXPECT_EQ(ClaimNow(7), "run");
  registry_.Release({1, 7});
  EXPECT_EQ(registry_.size(), 0);
  EXPECT_EQ(ClaimNow(7), "run");
  registry_.Release({1, 7});
}

TEST_F(NonceRegistryTest, ARepeatWaitsForWhatRunsAndOthersDoNot) {
  Claim second, third;
  EXPECT_EQ(ClaimNow(7), "run");
  Start(second, 7);
  Start(third, 7);
  EXPECT_EQ(second.answer, "");
  EXPECT_EQ(ClaimNow(8), "run");
  registry_.Release({1, 7});
  EXPECT_EQ(second.answer, "run");
  EXPECT_EQ(third.answer, "");
  Succeed(7, 5);
  EXPECT_EQ(third.answer, "5");
  registry_.Release({1, 8});
}

TEST_F(NonceRegistryTest, AWaitEndsAtItsDeadlineAndTheNonceStaysInFlight) {
  Claim second, third;
  EXPECT_EQ(ClaimNow(7), "run");
  Start(second, 7, absl::Seconds(1));
  Start(third, 7, absl::Seconds(9));
  clock_.Advance(absl::Seconds(1));
  executor_.RunUntilIdle();
  EXPECT_EQ(second.answer, "UNKNOWN");
  EXPECT_EQ(third.answer, "");
  Succeed(7, 5);
  EXPECT_EQ(third.answer, "5");
}

TEST_F(NonceRegistryTest, AfterTheGracePeriodItIsForgotten) {
  EXPECT_EQ(ClaimNow(7), "run");
  Succeed(7, 42);
  clock_.Advance(kGrace - absl::Seconds(1));
  EXPECT_EQ(ClaimNow(7), "42");
  clock_.Advance(absl::Seconds(1));
  EXPECT_EQ(ClaimNow(7), "run");
  clock_.Advance(2 * kGrace);
  EXPECT_EQ(ClaimNow(8), "run");
  EXPECT_EQ(registry_.size(), 2) << "what runs is never forgotten";
  registry_.Release({1, 7});
  registry_.Release({1, 8});
}

TEST_F(NonceRegistryTest, ArrearsOfForgettingAreDoneBitByBit) {
  for (uint64_t nonce = 1; nonce <= 40; ++nonce) {
    EXPECT_EQ(ClaimNow(nonce), "run");
    Succeed(nonce, nonce);
  }
  clock_.Advance(kGrace);
  EXPECT_EQ(ClaimNow(40), "run") << "expired, though not forgotten yet";
  EXPECT_EQ(registry_.size(), 40 - 16);
  registry_.Release({1, 40});
  for (uint64_t nonce = 41; nonce <= 42; ++nonce) {
    EXPECT_EQ(ClaimNow(nonce), "run");
    registry_.Release({1, nonce});
  }
  EXPECT_EQ(registry_.size(), 0);
}

TEST_F(NonceRegistryTest, WhatTheLogHoldsIsKnownForTheRestOfItsGrace) {
  const Timestamp now = absl::ToUnixMicros(clock_.Now());
  const Timestamp written =
      now - absl::ToInt64Microseconds(kGrace - absl::Seconds(10));
  registry_.Restore(Applied(7, 42, written), now);
  registry_.Restore(Applied(7, 42, written), now);  // Appended twice.
  registry_.Restore(Applied(8, 43, written - 10'000'000), now);
  EXPECT_EQ(ClaimNow(8), "run") << "too old";
  EXPECT_EQ(ClaimNow(7), "42");
  clock_.Advance(absl::Seconds(10));
  EXPECT_EQ(ClaimNow(7), "run");
  registry_.Release({1, 7});
  registry_.Release({1, 8});
}

TEST_F(NonceRegistryTest, FailEndsWaitsForWhatIsAppendedPresentAndFuture) {
  Claim second, third;
  EXPECT_EQ(ClaimNow(7), "run");
  registry_.NoteAppended(Applied(7, 42), kLogStart);
  EXPECT_EQ(ClaimNow(8), "run");
  Start(second, 7);
  Start(third, 8);
  registry_.Fail(absl::FailedPreconditionError("poisoned"));
  EXPECT_EQ(second.answer, "UNKNOWN");
  EXPECT_EQ(ClaimNow(7), "UNKNOWN");
  EXPECT_EQ(third.answer, "") << "the first may still come to nothing";
  registry_.Release({1, 8});
  EXPECT_EQ(third.answer, "run");
  registry_.Release({1, 8});
}

TEST_F(NonceRegistryTest, WhatIsAppendedAfterFailKeepsNobodyWaiting) {
  Claim second;
  EXPECT_EQ(ClaimNow(7), "run");
  Start(second, 7);
  registry_.Fail(absl::FailedPreconditionError("poisoned"));
  registry_.NoteAppended(Applied(7, 42), kLogStart);
  EXPECT_EQ(second.answer, "");
  registry_.LeaveUnconfirmed({1, 7});
  EXPECT_EQ(second.answer, "UNKNOWN");
}

TEST_F(NonceRegistryTest, WhatIsUnconfirmedMayYetBeConfirmed) {
  Claim second;
  EXPECT_EQ(ClaimNow(7), "run");
  Start(second, 7);
  registry_.NoteAppended(Applied(7, 42), kLogStart);
  registry_.LeaveUnconfirmed({1, 7});
  EXPECT_EQ(second.answer, "");
  registry_.Succeed({1, 7}, {});
  EXPECT_NE(second.answer, "");
}

TEST_F(NonceRegistryTest, WhatIsAppendedWaitsOnAndIsNeverForgotten) {
  Claim second;
  EXPECT_EQ(ClaimNow(7), "run");
  registry_.NoteAppended(Applied(7, 42), kLogStart);
  for (int i = 0; i < 3; ++i) {
    clock_.Advance(kGrace);
    EXPECT_EQ(ClaimNow(8), "run");
    registry_.Release({1, 8});
  }
  Start(second, 7);
  EXPECT_EQ(second.answer, "");
  registry_.Succeed({1, 7}, {});
  EXPECT_EQ(second.answer, "42");
}

TEST_F(NonceRegistryTest, AManifestGetsTheNewestThatAreAppendedUpToANumber) {
  const Timestamp now = absl::ToUnixMicros(clock_.Now());
  registry_.Restore(Applied(1, 10, now), now);
  registry_.Restore(Applied(1, 10, now),
                    now);  // In the manifest and in the log.
  EXPECT_EQ(ClaimNow(2), "run");
  EXPECT_EQ(ClaimNow(3), "run");
  EXPECT_EQ(ClaimNow(4), "run");
  registry_.NoteAppended(Applied(2, 11, now), kLogStart);
  registry_.NoteAppended(Applied(3, 12, now), kLogStart);
  EXPECT_THAT(registry_.Appended(WriteNumber{11}),
              testing::ElementsAre(Applied(1, 10, now), Applied(2, 11, now)));
  registry_.Succeed({1, 3}, {});
  EXPECT_THAT(registry_.Appended(kMaxWriteNumber),
              testing::ElementsAre(Applied(1, 10, now), Applied(2, 11, now),
                                   Applied(3, 12, now)));
  registry_.Succeed({1, 2}, {});
  registry_.Release({1, 4});
  clock_.Advance(kGrace);
  EXPECT_THAT(registry_.Appended(kMaxWriteNumber), testing::IsEmpty());
  for (uint64_t nonce = 10; nonce < 20 + NonceRegistry::kMaxFlushed; ++nonce) {
    EXPECT_EQ(ClaimNow(nonce), "run");
    registry_.NoteAppended(Applied(nonce, nonce), kLogStart);
    registry_.Succeed({1, nonce}, {});
  }
  const std::vector<AppliedNonce> newest = registry_.Appended(kMaxWriteNumber);
  ASSERT_EQ(newest.size(), NonceRegistry::kMaxFlushed);
  EXPECT_EQ(newest.front().nonce.nonce, 20);
}

TEST_F(NonceRegistryTest, SmallResultsAreRememberedAndOldOnesGiveWay) {
  const auto run = [&](uint64_t nonce, size_t value_bytes) {
    EXPECT_EQ(ClaimNow(nonce), "run");
    registry_.NoteAppended(Applied(nonce, nonce), kLogStart);
    RowResult row;
    row.cells.emplace_back().value = std::string(value_bytes, 'v');
    registry_.Succeed({1, nonce}, {row});
  };
  const auto remembers = [&](uint64_t nonce) {
    bool rows = false;
    registry_.Claim(
        {1, nonce}, absl::InfiniteDuration(),
        [&](const absl::StatusOr<std::optional<NonceOutcome>>& outcome) {
          rows = (**outcome).rows != nullptr;
        });
    return rows;
  };
  run(1, 100);
  run(2, NonceRegistry::kResultBytes);
  EXPECT_TRUE(remembers(1));
  EXPECT_FALSE(remembers(2)) << "large";
  const size_t count =
      NonceRegistry::kAllResultBytes / (NonceRegistry::kResultBytes / 2);
  for (uint64_t nonce = 3; nonce < 3 + count; ++nonce) {
    run(nonce, NonceRegistry::kResultBytes / 2);
  }
  EXPECT_FALSE(remembers(1)) << "old";
  EXPECT_TRUE(remembers(2 + count));
}

// Random claims, ends and time against a map; waits end by themselves.
TEST_F(NonceRegistryTest, AgreesWithAMapOverRandomHistories) {
  struct Model {
    std::optional<uint64_t> outcome;  // Nothing: it runs.
    absl::Duration expires_at;
  };
  Random random(TestSeed());
  std::map<uint64_t, Model> model;
  for (uint64_t step = 1; step <= 5000; ++step) {
    const uint64_t nonce = 1 + random.Uniform(8);
    const auto known = model.find(nonce);
    const bool runs = known != model.end() && !known->second.outcome;
    switch (random.Uniform(4)) {
      case 0:
        if (runs) break;  // Waits: the tests above.
        if (known != model.end() &&
            clock_.Monotonic() < known->second.expires_at) {
          ASSERT_EQ(ClaimNow(nonce), absl::StrCat(*known->second.outcome));
        } else {
          ASSERT_EQ(ClaimNow(nonce), "run");
          model[nonce] = {};
        }
        break;
      case 1:
        if (!runs) break;
        Succeed(nonce, step);
        known->second = {step, clock_.Monotonic() + kGrace};
        break;
      case 2:
        if (!runs) break;
        registry_.Release({1, nonce});
        model.erase(known);
        break;
      case 3:
        clock_.Advance(absl::Minutes(random.Uniform(10)));
        break;
    }
  }
}

}  // namespace
}  // namespace shale
