// googletest matchers and macros for absl::Status and absl::StatusOr.
#ifndef SHALE_BASE_TESTING_STATUS_MATCHERS_H_
#define SHALE_BASE_TESTING_STATUS_MATCHERS_H_

#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/status_macros.h"

// The status (or the StatusOr's status) is OK.
#define EXPECT_OK(expr) EXPECT_THAT(expr, ::shale::IsOk())
#define ASSERT_OK(expr) ASSERT_THAT(expr, ::shale::IsOk())

// Ends the test if the StatusOr `expr` is an error, else moves its value into
// `lhs`, which may declare a variable. `lhs` has no comma outside parentheses.
#define ASSERT_OK_AND_ASSIGN(lhs, ...) \
  SHALE_ASSERT_OK_AND_ASSIGN_INTO(     \
      SHALE_NAME_WITH_LINE(shale_statusor_, __LINE__), lhs, (__VA_ARGS__))
#define SHALE_ASSERT_OK_AND_ASSIGN_INTO(statusor, lhs, expr) \
  auto statusor = expr;                                      \
  ASSERT_OK(statusor);                                       \
  lhs = *std::move(statusor)

namespace shale {

// For the matchers below: the status of either type.
inline const absl::Status& MatchedStatus(const absl::Status& status) {
  return status;
}
template <typename T>
const absl::Status& MatchedStatus(const absl::StatusOr<T>& statusor) {
  return statusor.status();
}

// Matches a Status or StatusOr that is OK.
class IsOkMatcher {
 public:
  using is_gtest_matcher = void;

  template <typename T>
  bool MatchAndExplain(const T& value,
                       testing::MatchResultListener* listener) const {
    *listener << "whose status is " << MatchedStatus(value);
    return MatchedStatus(value).ok();
  }
  void DescribeTo(std::ostream* os) const { *os << "is OK"; }
  void DescribeNegationTo(std::ostream* os) const { *os << "is not OK"; }
};
inline IsOkMatcher IsOk() { return IsOkMatcher(); }

// Matches a Status or StatusOr by code and message.
class StatusIsMatcher {
 public:
  using is_gtest_matcher = void;

  StatusIsMatcher(testing::Matcher<absl::StatusCode> code,
                  testing::Matcher<const std::string&> message)
      : code_(std::move(code)), message_(std::move(message)) {}

  template <typename T>
  bool MatchAndExplain(const T& value,
                       testing::MatchResultListener* listener) const {
    const absl::Status& status = MatchedStatus(value);
    *listener << "whose status is " << status;
    return code_.Matches(status.code()) &&
           message_.Matches(std::string(status.message()));
  }
  void DescribeTo(std::ostream* os) const {
    *os << "has a status code that ";
    code_.DescribeTo(os);
    *os << " and a message that ";
    message_.DescribeTo(os);
  }
  void DescribeNegationTo(std::ostream* os) const {
    *os << "not (";
    DescribeTo(os);
    *os << ")";
  }

 private:
  testing::Matcher<absl::StatusCode> code_;
  testing::Matcher<const std::string&> message_;
};

// StatusIs(absl::StatusCode::kDataLoss, HasSubstr("offset 4096"))
inline StatusIsMatcher StatusIs(
    testing::Matcher<absl::StatusCode> code,
    testing::Matcher<const std::string&> message = testing::_) {
  return StatusIsMatcher(std::move(code), std::move(message));
}

// Matches a StatusOr that is OK and whose value matches `inner`.
template <typename Inner>
class IsOkAndHoldsMatcher {
 public:
  using is_gtest_matcher = void;

  explicit IsOkAndHoldsMatcher(Inner inner) : inner_(std::move(inner)) {}

  template <typename T>
  bool MatchAndExplain(const absl::StatusOr<T>& statusor,
                       testing::MatchResultListener* listener) const {
    if (!statusor.ok()) {
      *listener << "whose status is " << statusor.status();
      return false;
    }
    *listener << "whose value is " << testing::PrintToString(*statusor) << " ";
    return testing::SafeMatcherCast<const T&>(inner_).MatchAndExplain(*statusor,
                                                                      listener);
  }
  void DescribeTo(std::ostream* os) const {
    *os << "is OK and holds a matching value";
  }
  void DescribeNegationTo(std::ostream* os) const {
    *os << "is not OK or holds another value";
  }

 private:
  Inner inner_;
};

// `inner` is a matcher or a value to be equal to.
template <typename Inner>
IsOkAndHoldsMatcher<std::decay_t<Inner>> IsOkAndHolds(Inner&& inner) {
  return IsOkAndHoldsMatcher<std::decay_t<Inner>>(std::forward<Inner>(inner));
}

}  // namespace shale

#endif  // SHALE_BASE_TESTING_STATUS_MATCHERS_H_
