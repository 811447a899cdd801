#include "shale/region/write_admission.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"

namespace shale {

WriteAdmission::WriteAdmission(int64_t flush_bytes, int64_t blocking_bytes,
                               Clock& clock, Executor& executor,
                               absl::AnyInvocable<void()> request_flush)
    : flush_bytes_(flush_bytes),
      blocking_bytes_(blocking_bytes),
      request_flush_(std::move(request_flush)),
      queue_(blocking_bytes, clock, executor,
             [this](int64_t used) { return TooLate(used); }) {}

absl::Status WriteAdmission::TooLate(int64_t used) const {
  absl::MutexLock lock(&mu_);
  return absl::ResourceExhaustedError(
      absl::StrCat("memstores are full: ", used, " of ", blocking_bytes_,
                   " bytes in use, and no flush made room before the deadline",
                   last_flush_.ok() ? "" : ": ", last_flush_.message()));
}

void WriteAdmission::NoteFlush(absl::Status outcome) {
  absl::MutexLock lock(&mu_);
  last_flush_ = std::move(outcome);
}

void WriteAdmission::Admit(int64_t bytes, absl::Duration deadline,
                           absl::AnyInvocable<void(absl::Status)> granted) {
  std::optional<absl::Status> decided =
      queue_.Take(bytes, deadline, std::move(granted));
  // Before `granted`, after which nothing may be left to be flushed.
  if (!decided.has_value() || (decided->ok() && used() > flush_bytes_)) {
    request_flush_();
  }
  if (decided.has_value()) granted(*std::move(decided));
}

}  // namespace shale
