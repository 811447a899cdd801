#ifndef SHALE_FILESYSTEM_OUTCOME_H_
#define SHALE_FILESYSTEM_OUTCOME_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// The closed set of ways in which a file operation ends; the engine's reaction
// depends on nothing else.
enum class FileOutcome {
  kOk,           // Done, and durable as asked.
  kNotFound,     // NOT_FOUND. Precise.
  kExists,       // ALREADY_EXISTS. Precise.
  kConflict,     // FAILED_PRECONDITION. The state is not what the call needs: a
                 // compare-and-swap lost, a directory owned, a file finished.
  kFenced,       // ABORTED. This owner has lost the region: stop at once.
  kUnavailable,  // UNAVAILABLE. Surely not applied: retry with back-off.
  kUnknown,      // UNKNOWN. May be applied, now or later: seal and look.
  kNoSpace,      // RESOURCE_EXHAUSTED. Surely not applied (space, descriptors).
  kCorrupt,      // DATA_LOSS. The bytes lie.
  kIoError,      // UNKNOWN if it may be applied, else UNAVAILABLE.
  kInvalid,      // INVALID_ARGUMENT and everything else: the caller's fault.
};

// The outcome that `status` stands for. Exact for every status that a
// FileSystem returns: kIoError is told from its neighbours by a payload.
FileOutcome OutcomeOf(const absl::Status& status);

// Whether `status`, or what it was annotated from, is kNoSpace because the
// device is full (ENOSPC, EDQUOT): not for want of descriptors, and not
// another's RESOURCE_EXHAUSTED.
bool LacksSpace(const absl::Status& status);

// "no space" for kNoSpace.
absl::string_view OutcomeName(FileOutcome outcome);

// A status for `outcome` that says "op name: reason"; kIoError as if it may be
// applied, kNoSpace as if the device were full. REQUIRES: outcome != kOk.
absl::Status FileError(FileOutcome outcome, absl::string_view op,
                       absl::string_view name, absl::string_view reason);

// The status for errno `error` of a call on `name`: ENOSPC, EDQUOT, EMFILE and
// ENFILE are kNoSpace, ENOENT kNotFound, EEXIST kExists, EIO and the rest
// kIoError. `mutation` says whether the call could have changed anything.
absl::Status ErrnoError(int error, absl::string_view op, absl::string_view name,
                        bool mutation);

// The same where the call had been applied when `error` ended it, such as an
// fsync after a rename: kIoError that may be applied, whatever the errno.
absl::Status AppliedErrnoError(int error, absl::string_view op,
                               absl::string_view name);

// The errno that a status was made from, or stands for; or 0.
int ErrnoOf(const absl::Status& status);

}  // namespace shale

#endif  // SHALE_FILESYSTEM_OUTCOME_H_
