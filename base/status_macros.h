// Early return for absl::Status and absl::StatusOr.
#ifndef SHALE_BASE_STATUS_MACROS_H_
#define SHALE_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/base/optimization.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shale/base/cxx_standard.h"

// Evaluates `expr`, an absl::Status, once; if it is an error, returns it from
// the enclosing function, which returns an absl::Status or a StatusOr.
#define SHALE_RETURN_IF_ERROR(...)                   \
  do {                                               \
    if (::absl::Status shale_status = (__VA_ARGS__); \
        ABSL_PREDICT_FALSE(!shale_status.ok())) {    \
      return shale_status;                           \
    }                                                \
  } while (false)

// Evaluates `expr`, an absl::StatusOr, once; if it is an error, returns that
// from the enclosing function, else moves its value into `lhs`, which may
// declare a variable: SHALE_ASSIGN_OR_RETURN(const int n, ParseCount(text)).
// Stands where a declaration can (not as the body of a bare `if`); `lhs` may
// not contain a comma outside parentheses.
#define SHALE_ASSIGN_OR_RETURN(lhs, ...)                                       \
  SHALE_ASSIGN_OR_RETURN_INTO(SHALE_NAME_WITH_LINE(shale_statusor_, __LINE__), \
                              lhs, (__VA_ARGS__))

// The pieces of the above.
#define SHALE_ASSIGN_OR_RETURN_INTO(statusor, lhs, expr) \
  auto statusor = expr;                                  \
  if (ABSL_PREDICT_FALSE(!statusor.ok())) {              \
    return std::move(statusor).status();                 \
  }                                                      \
  lhs = *std::move(statusor)
#define SHALE_NAME_WITH_LINE(name, line) SHALE_NAME_JOIN(name, line)
#define SHALE_NAME_JOIN(a, b) a##b

#endif  // SHALE_BASE_STATUS_MACROS_H_
