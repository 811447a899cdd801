#ifndef SHALE_WAL_TESTING_HEALTH_LISTENER_H_
#define SHALE_WAL_TESTING_HEALTH_LISTENER_H_

#include <cstddef>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "gtest/gtest.h"
#include "shale/cell/log_position.h"
#include "shale/wal/wal.h"

namespace shale {

// Keeps the changes of a log's health for a test to wait for. Thread-safe.
class HealthListener final : public LogListener {
 public:
  void OnDurable(LogPosition durable) override {
    absl::MutexLock lock(&mu_);
    EXPECT_TRUE(states_.empty() ||
                states_.back() != LogHealth::State::kPoisoned)
        << durable;
  }
  void OnHealth(const LogHealth& health) override {
    absl::MutexLock lock(&mu_);
    states_.push_back(health.state);
  }
  void OnNewSegment() override {}
  // Waits for the next change, which must be to `state`.
  void AwaitNext(LogHealth::State state) {
    absl::MutexLock lock(&mu_);
    const auto heard = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
      return states_.size() > awaited_;
    };
    mu_.Await(absl::Condition(&heard));
    EXPECT_EQ(states_[awaited_], state);
    ++awaited_;
  }

 private:
  absl::Mutex mu_;  // A leaf.
  std::vector<LogHealth::State> states_ ABSL_GUARDED_BY(mu_);
  size_t awaited_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace shale

#endif  // SHALE_WAL_TESTING_HEALTH_LISTENER_H_
