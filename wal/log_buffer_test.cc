#include "shale/wal/log_buffer.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/testing/deterministic_executor.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/wal/record_codec.h"

namespace shale {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Records of 96 bytes and a payload; the buffer has room for ten empty ones.
class LogBufferTest : public testing::Test {
 protected:
  static constexpr int64_t kRecord = kRecordHeaderBytes;

  ~LogBufferTest() override { buffer_.Refuse(absl::CancelledError("over")); }

  // Notes under `name` when the reservation is granted or refused.
  void Reserve(int64_t payload_bytes, std::string name) {
    buffer_.Reserve(payload_bytes, absl::Seconds(1),
                    [this, name](absl::Status status) {
                      told_.push_back(status.ok() ? name : name + " refused");
                      last_ = std::move(status);
                    });
  }
  LogPosition Append(int64_t reserved_bytes = 0) {
    const auto position = buffer_.Append(std::string(kRecord, 'r'),
                                         reserved_bytes, [](LogPosition) {});
    EXPECT_OK(position);
    return *position;
  }
  LogPosition ReserveAndAppend() {
    Reserve(0, "reserved");
    return Append();
  }
  void WriteAll() {
    while (!buffer_.Take(1000).empty()) {
    }
  }

  ManualClock clock_;
  DeterministicExecutor executor_{clock_, 1};
  LogBuffer buffer_{
      {1000}, 10 * kRecord, clock_, executor_, [] { return "no reason"; }};
  absl::Status last_;
  std::vector<std::string> told_;
};

TEST_F(LogBufferTest, PositionsCountBytesFromTheStart) {
  EXPECT_EQ(buffer_.appended(), LogPosition{1000});
  EXPECT_EQ(ReserveAndAppend(), LogPosition{1096});
  EXPECT_EQ(ReserveAndAppend(), LogPosition{1192});
}

TEST_F(LogBufferTest, ARecordIsAnnouncedWhereItBegins) {
  Reserve(0, "a");
  LogPosition start;
  ASSERT_OK(buffer_.Append(std::string(kRecord, 'r'), 0,
                           [&](LogPosition s) { start = s; }));
  EXPECT_EQ(start, LogPosition{1000});
}

TEST_F(LogBufferTest, WhoWaitsIsLetInInOrderAsRoomComesBack) {
  Reserve(9 * kRecord, "large");
  EXPECT_FALSE(buffer_.crowded());
  Reserve(0, "second");
  Reserve(0, "third");
  EXPECT_TRUE(buffer_.crowded());
  EXPECT_THAT(told_, ElementsAre("large"));
  buffer_.CancelReservation(9 * kRecord);
  EXPECT_THAT(told_, ElementsAre("large", "second", "third"));
}

TEST_F(LogBufferTest, ASmallOneDoesNotOvertakeALargeOneForEver) {
  Reserve(0, "small");
  Reserve(9 * kRecord, "large");
  Reserve(0, "late");
  EXPECT_THAT(told_, ElementsAre("small"));
  buffer_.CancelReservation(0);
  EXPECT_THAT(told_, ElementsAre("small", "large"));
}

TEST_F(LogBufferTest, MoreThanItsSizeIsLetInAlone) {
  Reserve(50 * kRecord, "huge");
  Reserve(0, "next");
  EXPECT_THAT(told_, ElementsAre("huge"));
  buffer_.CancelReservation(50 * kRecord);
  EXPECT_THAT(told_, ElementsAre("huge", "next"));
}

TEST_F(LogBufferTest, ADurableRecordGivesItsRoomBack) {
  Reserve(0, "first");
  const LogPosition first = Append();
  Reserve(9 * kRecord, "waits");
  WriteAll();
  EXPECT_EQ(buffer_.Release({first.value - 1}), 0);
  EXPECT_THAT(told_, ElementsAre("first"));
  EXPECT_EQ(buffer_.Release(first), 1);
  EXPECT_THAT(told_, ElementsAre("first", "waits"));
}

TEST_F(LogBufferTest, WhatWasReservedInExcessIsFreeAfterTheAppend) {
  Reserve(8 * kRecord, "first");
  const LogPosition first = Append(8 * kRecord);
  Reserve(7 * kRecord, "second");
  EXPECT_THAT(told_, ElementsAre("first", "second"));
  WriteAll();
  buffer_.Release(first);
  Reserve(0, "third");
  EXPECT_THAT(told_, SizeIs(3));
}

TEST_F(LogBufferTest, ABatchHoldsAtMostWhatIsAskedForUnlessOneIsLarger) {
  for (int i = 0; i < 5; ++i) ReserveAndAppend();
  EXPECT_THAT(buffer_.Take(2 * kRecord), SizeIs(2));
  EXPECT_THAT(buffer_.Take(1), SizeIs(1));
  EXPECT_THAT(buffer_.Take(1000), SizeIs(2));
  EXPECT_THAT(buffer_.Take(1000), IsEmpty());
}

TEST_F(LogBufferTest, AfterARewindTheRestIsGivenAgain) {
  const LogPosition first = ReserveAndAppend();
  ReserveAndAppend();
  ReserveAndAppend();
  EXPECT_THAT(buffer_.Take(1000), SizeIs(3));
  buffer_.Rewind(first);
  const auto again = buffer_.Take(1000);
  ASSERT_THAT(again, SizeIs(2));
  EXPECT_EQ(again[0]->end.value, first.value + kRecord);
}

TEST_F(LogBufferTest, ARefusalReachesThoseWhoWaitAndAllAfterThem) {
  Reserve(9 * kRecord, "first");
  Reserve(0, "second");
  buffer_.Refuse(absl::FailedPreconditionError("closed"));
  buffer_.Refuse(absl::FailedPreconditionError("poisoned"));
  Reserve(0, "third");
  EXPECT_THAT(told_, ElementsAre("first", "second refused", "third refused"));
  EXPECT_THAT(buffer_.Append(std::string(kRecord, 'r'), 9 * kRecord,
                             [](LogPosition) { FAIL() << "not added"; }),
              StatusIs(absl::StatusCode::kFailedPrecondition, "closed"));
  EXPECT_EQ(buffer_.appended(), LogPosition{1000});
  buffer_.CancelReservation(9 * kRecord);
}

TEST_F(LogBufferTest, AWaitForRoomEndsAtItsDeadlineAndSaysWhy) {
  Reserve(9 * kRecord, "full");
  Reserve(0, "waits");
  clock_.Advance(absl::Seconds(1));
  executor_.RunUntilIdle();
  EXPECT_THAT(told_, ElementsAre("full", "waits refused"));
  EXPECT_THAT(last_, StatusIs(absl::StatusCode::kResourceExhausted,
                              HasSubstr("no reason")));
  buffer_.CancelReservation(9 * kRecord);
  EXPECT_THAT(told_, SizeIs(2));
}

TEST_F(LogBufferTest, TheLogsOwnMarkersNeedNoRoomAndAreNotRefused) {
  Reserve(9 * kRecord, "full");
  buffer_.Refuse(absl::FailedPreconditionError("closed"));
  EXPECT_EQ(buffer_.AppendMarker(std::string(kRecord, 'm')), LogPosition{1096});
}

}  // namespace
}  // namespace shale
