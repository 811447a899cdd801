#include "shale/filesystem/outcome.h"

#include <cerrno>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/status_util.h"
#include "shale/base/testing/status_matchers.h"

namespace shale {
namespace {

constexpr FileOutcome kFailures[] = {
    FileOutcome::kNotFound, FileOutcome::kExists,  FileOutcome::kConflict,
    FileOutcome::kFenced,   FileOutcome::kUnknown, FileOutcome::kUnavailable,
    FileOutcome::kNoSpace,  FileOutcome::kCorrupt, FileOutcome::kIoError,
    FileOutcome::kInvalid,
};

TEST(OutcomeTest, EveryFailureIsToldFromItsStatus) {
  EXPECT_EQ(OutcomeOf(absl::OkStatus()), FileOutcome::kOk);
  for (const FileOutcome outcome : kFailures) {
    EXPECT_EQ(OutcomeOf(FileError(outcome, "sync", "a", "why")), outcome)
        << OutcomeName(outcome);
  }
}

TEST(OutcomeTest, ErrorsSayWhatFailedOnWhatAndWhy) {
  EXPECT_EQ(FileError(FileOutcome::kFenced, "append to", "wal/1", "epoch 3")
                .message(),
            "append to wal/1: epoch 3");
  EXPECT_EQ(ErrnoError(ENOSPC, "append to", "wal/1", true).message(),
            "append to wal/1: No space left on device (errno 28)");
}

struct ErrnoCase {
  int error;
  bool mutation;
  FileOutcome outcome;
  absl::StatusCode code;
};

TEST(OutcomeTest, ErrnosMapToOutcomesAndCodes) {
  constexpr ErrnoCase kCases[] = {
      {ENOENT, false, FileOutcome::kNotFound, absl::StatusCode::kNotFound},
      {EEXIST, true, FileOutcome::kExists, absl::StatusCode::kAlreadyExists},
      {ENOSPC, true, FileOutcome::kNoSpace,
       absl::StatusCode::kResourceExhausted},
      {EDQUOT, true, FileOutcome::kNoSpace,
       absl::StatusCode::kResourceExhausted},
      {EMFILE, false, FileOutcome::kNoSpace,
       absl::StatusCode::kResourceExhausted},
      {ENFILE, false, FileOutcome::kNoSpace,
       absl::StatusCode::kResourceExhausted},
      {EIO, true, FileOutcome::kIoError, absl::StatusCode::kUnknown},
      {EIO, false, FileOutcome::kIoError, absl::StatusCode::kUnavailable},
      {EACCES, false, FileOutcome::kIoError, absl::StatusCode::kUnavailable},
  };
  for (const ErrnoCase& c : kCases) {
    const absl::Status status = ErrnoError(c.error, "op", "a", c.mutation);
    EXPECT_EQ(OutcomeOf(status), c.outcome) << status;
    EXPECT_EQ(status.code(), c.code) << status;
    EXPECT_EQ(ErrnoOf(status), c.error) << status;
  }
  EXPECT_EQ(ErrnoOf(FileError(FileOutcome::kIoError, "op", "a", "why")), 0);
  EXPECT_EQ(ErrnoOf(absl::UnknownError("another's")), 0);
}

TEST(OutcomeTest, LackOfSpaceIsToldFromOtherLacks) {
  for (const int error : {ENOSPC, EDQUOT}) {
    EXPECT_TRUE(LacksSpace(ErrnoError(error, "create", "a", true)));
    EXPECT_TRUE(
        LacksSpace(Annotate(ErrnoError(error, "create", "a", true), "flush")));
    EXPECT_FALSE(LacksSpace(AppliedErrnoError(error, "commit", "a")));
  }
  EXPECT_TRUE(
      LacksSpace(FileError(FileOutcome::kNoSpace, "append to", "a", "full")));
  for (const int error : {EMFILE, ENFILE, EIO}) {
    EXPECT_FALSE(LacksSpace(ErrnoError(error, "create", "a", true)));
  }
  EXPECT_FALSE(LacksSpace(absl::ResourceExhaustedError("too slow")));
  EXPECT_FALSE(LacksSpace(absl::OkStatus()));
}

TEST(OutcomeTest, AnErrnoAfterTheChangeIsUnknownWhicheverItIs) {
  for (const int error : {ENOSPC, EDQUOT, EMFILE, ENOENT, EEXIST, EIO}) {
    const absl::Status status = AppliedErrnoError(error, "commit", "a");
    EXPECT_EQ(OutcomeOf(status), FileOutcome::kIoError) << status;
    EXPECT_EQ(status.code(), absl::StatusCode::kUnknown) << status;
    EXPECT_EQ(ErrnoOf(status), error);
  }
}

TEST(OutcomeTest, StatusesOfOthersAreTheCallersFault) {
  EXPECT_EQ(OutcomeOf(absl::InternalError("x")), FileOutcome::kInvalid);
  EXPECT_EQ(OutcomeOf(absl::UnimplementedError("x")), FileOutcome::kInvalid);
}

}  // namespace
}  // namespace shale
