#include "absl/synchronization/mutex.h"
#include "gtest/gtest.h"

// Every test binary aborts on a cycle in the order in which mutexes are taken.
int main(int argc, char** argv) {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kAbort);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
