// From a call that completes later to one that blocks.
#ifndef SHALE_BASE_COMPLETION_H_
#define SHALE_BASE_COMPLETION_H_

#include <memory>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/check.h"
#include "shale/base/clock.h"

namespace shale {

// Waits for one result; T is absl::Status or an absl::StatusOr:
//
//   Waiter<absl::Status> synced;
//   file.Sync(synced.callback());
//   SHALE_RETURN_IF_ERROR(synced.Wait());
//
// The callback may be called in any thread, also before the wait or after the
// Waiter is gone. If it is destroyed without having been called, the result is
// UNKNOWN: nobody can tell any more what became of the call. Otherwise for one
// thread. Never wait in a thread that the call needs in order to complete.
template <typename T>
class Waiter {
 public:
  Waiter() : result_(std::make_shared<Result>()) {}
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  // To be taken once, and called at most once.
  absl::AnyInvocable<void(T)> callback() {
    return [promise = Promise(result_)](T value) mutable {
      promise.Keep(std::move(value));
    };
  }

  // Blocks until there is a result and returns it. Once per Waiter.
  T Wait() {
    absl::MutexLock lock(&result_->mu);
    result_->mu.Await(absl::Condition(+HasValue, result_.get()));
    return *std::move(result_->value);
  }

  // The same, or nothing if Clock::Monotonic() reaches `deadline` first; the
  // call itself goes on, and one may wait again.
  std::optional<T> WaitUntil(Clock& clock, absl::Duration deadline) {
    absl::MutexLock lock(&result_->mu);
    if (!clock.AwaitUntil(
            result_->mu, absl::Condition(+HasValue, result_.get()), deadline)) {
      return std::nullopt;
    }
    return std::move(result_->value);
  }

 private:
  // Shared, as either the Waiter or the callback may be gone first.
  struct Result {
    absl::Mutex mu;
    std::optional<T> value ABSL_GUARDED_BY(mu);
  };

  static bool HasValue(Result* result) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    return result->value.has_value();
  }

  // The callback's half. Movable; gives its result exactly once.
  class Promise {
   public:
    explicit Promise(std::shared_ptr<Result> result)
        : result_(std::move(result)) {}
    Promise(Promise&&) = default;
    Promise& operator=(Promise&&) = default;
    ~Promise() {
      if (result_ != nullptr) {
        Keep(absl::UnknownError("the completion was dropped uncalled"));
      }
    }

    void Keep(T value) {
      SHALE_CHECK(result_ != nullptr) << "a completion was called twice";
      const std::shared_ptr<Result> result = std::move(result_);
      absl::MutexLock lock(&result->mu);
      result->value = std::move(value);
    }

   private:
    std::shared_ptr<Result> result_;
  };

  const std::shared_ptr<Result> result_;
};

}  // namespace shale

#endif  // SHALE_BASE_COMPLETION_H_
