// Checks of our own invariants: always on, in every build mode. A broken
// environment (a failed read, bad input) is a Status instead, never a check.
#ifndef SHALE_BASE_CHECK_H_
#define SHALE_BASE_CHECK_H_

#include <ostream>
#include <sstream>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shale/base/cxx_standard.h"

// Aborts the process if `condition` is false, after writing file, line, the
// condition and whatever is streamed in to stderr:
//   SHALE_CHECK(first <= last) << "range " << first << " to " << last;
// What is streamed is evaluated only on failure.
#define SHALE_CHECK(condition) \
  ABSL_PREDICT_TRUE(condition) \
  ? static_cast<void>(0)       \
  : ::shale::CheckIgnore() &   \
          ::shale::CheckFailure(__FILE__, __LINE__, #condition).stream()

// The same for an absl::Status or absl::StatusOr that must be OK.
#define SHALE_CHECK_OK(expr)                                            \
  switch (0)                                                            \
  case 0:                                                               \
  default:                                                              \
    if (const ::absl::Status shale_status = ::shale::CheckStatus(expr); \
        ABSL_PREDICT_TRUE(shale_status.ok())) {                         \
    } else /* NOLINT */                                                 \
      ::shale::CheckFailure(__FILE__, __LINE__, #expr).stream()         \
          << shale_status << ' '

namespace shale {

// For SHALE_CHECK alone: collects the message, and aborts at the statement's
// end.
class CheckFailure {
 public:
  CheckFailure(const char* file, int line, const char* condition);
  CheckFailure(const CheckFailure&) = delete;
  CheckFailure& operator=(const CheckFailure&) = delete;
  [[noreturn]] ~CheckFailure();

  std::ostream& stream() { return message_; }

 private:
  std::ostringstream message_;
};

// For SHALE_CHECK alone: gives both arms of its `?:` the type void.
struct CheckIgnore {
  void operator&(std::ostream&) const {}
};

// For SHALE_CHECK_OK alone.
inline const absl::Status& CheckStatus(const absl::Status& status) {
  return status;
}
template <typename T>
const absl::Status& CheckStatus(const absl::StatusOr<T>& statusor) {
  return statusor.status();
}

}  // namespace shale

#endif  // SHALE_BASE_CHECK_H_
