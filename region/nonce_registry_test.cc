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

NonceOutcome Outcome(uint64_t number, Timestamp timestamp = 0) {
  return {{{number}, {number}}, timestamp};
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

  ManualClock clock_;
  DeterministicExecutor executor_{clock_, 1};
  NonceRegistry registry_{kGrace, clock_, executor_};
};

TEST_F(NonceRegistryTest, ARepeatOfWhatEndedWellGetsItsOutcome) {
  EXPECT_EQ(ClaimNow(7), "run");
  registry_.Succeed({1, 7}, Outcome(42));
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
  registry_.Succeed({1, 7}, Outcome(5));
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
  EXPECT_EQ(second.answer, "DEADLINE_EXCEEDED");
  EXPECT_EQ(third.answer, "");
  registry_.Succeed({1, 7}, Outcome(5));
  EXPECT_EQ(third.answer, "5");
}

TEST_F(NonceRegistryTest, AfterTheGracePeriodItIsForgotten) {
  EXPECT_EQ(ClaimNow(7), "run");
  registry_.Succeed({1, 7}, Outcome(42));
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
    registry_.Succeed({1, nonce}, Outcome(nonce));
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
  const Timestamp written =
      absl::ToUnixMicros(clock_.Now() - kGrace + absl::Seconds(10));
  registry_.Restore({1, 7}, Outcome(42, written));
  registry_.Restore({1, 7}, Outcome(42, written));  // Appended twice.
  registry_.Restore({1, 8}, Outcome(43, written - 10'000'000));
  EXPECT_EQ(ClaimNow(8), "run") << "too old";
  EXPECT_EQ(ClaimNow(7), "42");
  clock_.Advance(absl::Seconds(10));
  EXPECT_EQ(ClaimNow(7), "run");
  registry_.Release({1, 7});
  registry_.Release({1, 8});
}

TEST_F(NonceRegistryTest, FailEndsEveryWaitPresentAndFuture) {
  Claim second;
  EXPECT_EQ(ClaimNow(7), "run");
  Start(second, 7);
  registry_.Fail(absl::FailedPreconditionError("poisoned"));
  EXPECT_EQ(second.answer, "FAILED_PRECONDITION");
  EXPECT_EQ(ClaimNow(7), "FAILED_PRECONDITION");
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
        registry_.Succeed({1, nonce}, Outcome(step));
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
