#include "shale/filesystem/outcome.h"

#include <cerrno>
#include <optional>
#include <string>
#include <system_error>

#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "shale/base/check.h"

namespace shale {
namespace {

// On every status made from an errno, on every kIoError and on every kNoSpace:
// the errno, decimal.
constexpr absl::string_view kErrnoPayload = "shale/errno";

absl::StatusCode CodeOf(FileOutcome outcome) {
  switch (outcome) {
    case FileOutcome::kOk:
      return absl::StatusCode::kOk;
    case FileOutcome::kNotFound:
      return absl::StatusCode::kNotFound;
    case FileOutcome::kExists:
      return absl::StatusCode::kAlreadyExists;
    case FileOutcome::kConflict:
      return absl::StatusCode::kFailedPrecondition;
    case FileOutcome::kFenced:
      return absl::StatusCode::kAborted;
    case FileOutcome::kUnavailable:
      return absl::StatusCode::kUnavailable;
    case FileOutcome::kUnknown:
    case FileOutcome::kIoError:
      return absl::StatusCode::kUnknown;
    case FileOutcome::kNoSpace:
      return absl::StatusCode::kResourceExhausted;
    case FileOutcome::kCorrupt:
      return absl::StatusCode::kDataLoss;
    case FileOutcome::kInvalid:
      return absl::StatusCode::kInvalidArgument;
  }
  return absl::StatusCode::kInternal;
}

FileOutcome OutcomeOfErrno(int error) {
  switch (error) {
    case ENOENT:
      return FileOutcome::kNotFound;
    case EEXIST:
      return FileOutcome::kExists;
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
      return FileOutcome::kNoSpace;
    default:
      return FileOutcome::kIoError;
  }
}

std::optional<int> ErrnoPayload(const absl::Status& status) {
  const std::optional<absl::Cord> payload = status.GetPayload(kErrnoPayload);
  int error = 0;
  if (!payload.has_value() ||
      !absl::SimpleAtoi(std::string(*payload), &error)) {
    return std::nullopt;
  }
  return error;
}

absl::Status WithErrno(absl::StatusCode code, int error, absl::string_view op,
                       absl::string_view name) {
  absl::Status status(code, absl::StrCat(op, " ", name, ": ",
                                         std::generic_category().message(error),
                                         " (errno ", error, ")"));
  status.SetPayload(kErrnoPayload, absl::Cord(absl::StrCat(error)));
  return status;
}

}  // namespace

FileOutcome OutcomeOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return FileOutcome::kOk;
    case absl::StatusCode::kNotFound:
      return FileOutcome::kNotFound;
    case absl::StatusCode::kAlreadyExists:
      return FileOutcome::kExists;
    case absl::StatusCode::kFailedPrecondition:
      return FileOutcome::kConflict;
    case absl::StatusCode::kAborted:
      return FileOutcome::kFenced;
    case absl::StatusCode::kUnavailable:
      return ErrnoPayload(status).has_value() ? FileOutcome::kIoError
                                              : FileOutcome::kUnavailable;
    case absl::StatusCode::kUnknown:
      return ErrnoPayload(status).has_value() ? FileOutcome::kIoError
                                              : FileOutcome::kUnknown;
    case absl::StatusCode::kResourceExhausted:
      return FileOutcome::kNoSpace;
    case absl::StatusCode::kDataLoss:
      return FileOutcome::kCorrupt;
    default:
      return FileOutcome::kInvalid;
  }
}

bool LacksSpace(const absl::Status& status) {
  const int error = ErrnoOf(status);
  return OutcomeOf(status) == FileOutcome::kNoSpace &&
         (error == ENOSPC || error == EDQUOT);
}

absl::string_view OutcomeName(FileOutcome outcome) {
  switch (outcome) {
    case FileOutcome::kOk:
      return "ok";
    case FileOutcome::kNotFound:
      return "not found";
    case FileOutcome::kExists:
      return "exists";
    case FileOutcome::kConflict:
      return "conflict";
    case FileOutcome::kFenced:
      return "fenced";
    case FileOutcome::kUnavailable:
      return "unavailable";
    case FileOutcome::kUnknown:
      return "unknown";
    case FileOutcome::kNoSpace:
      return "no space";
    case FileOutcome::kCorrupt:
      return "corrupt";
    case FileOutcome::kIoError:
      return "i/o error";
    case FileOutcome::kInvalid:
      return "invalid";
  }
  return "no outcome";
}

absl::Status FileError(FileOutcome outcome, absl::string_view op,
                       absl::string_view name, absl::string_view reason) {
  SHALE_CHECK(outcome != FileOutcome::kOk) << op << ' ' << name;
  absl::Status status(CodeOf(outcome),
                      absl::StrCat(op, " ", name, ": ", reason));
  if (outcome == FileOutcome::kIoError || outcome == FileOutcome::kNoSpace) {
    const int error = outcome == FileOutcome::kNoSpace ? ENOSPC : 0;
    status.SetPayload(kErrnoPayload, absl::Cord(absl::StrCat(error)));
  }
  return status;
}

absl::Status ErrnoError(int error, absl::string_view op, absl::string_view name,
                        bool mutation) {
  const FileOutcome outcome = OutcomeOfErrno(error);
  return WithErrno(outcome == FileOutcome::kIoError && !mutation
                       ? absl::StatusCode::kUnavailable
                       : CodeOf(outcome),
                   error, op, name);
}

absl::Status AppliedErrnoError(int error, absl::string_view op,
                               absl::string_view name) {
  return WithErrno(CodeOf(FileOutcome::kIoError), error, op, name);
}

int ErrnoOf(const absl::Status& status) {
  return ErrnoPayload(status).value_or(0);
}

}  // namespace shale
