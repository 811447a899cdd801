// Callbacks in the order of their calls, whatever the order of the results.
#ifndef SHALE_FILESYSTEM_CALLBACK_ORDER_H_
#define SHALE_FILESYSTEM_CALLBACK_ORDER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// Each call reserves a place; its callback runs once it is ready and the
// callbacks of all places before have returned, one at a time. Thread-safe.
class CallbackOrder {
 public:
  CallbackOrder();
  ~CallbackOrder() { Join(); }
  CallbackOrder(const CallbackOrder&) = delete;
  CallbackOrder& operator=(const CallbackOrder&) = delete;

  // The next place: 0, 1, 2, ...
  uint64_t Reserve();
  // How many were reserved so far.
  uint64_t reserved() const;

  // Makes a callback ready, without running it: RunReady() must follow.
  // REQUIRES: once for each place.
  void Put(uint64_t place, absl::AnyInvocable<void()> callback);

  // Runs what is ready and in turn in this thread, or leaves it to the thread
  // that is at the callbacks right now. The caller holds no lock that a
  // callback takes.
  void RunReady();

  // Returns once the callbacks of all places reserved so far have returned, not
  // counting one in which it is called.
  void Join();

 private:
  // Shared with the thread that is at the callbacks, one of which may destroy
  // the CallbackOrder.
  struct Core {
    absl::Mutex mu;  // A leaf.
    uint64_t reserved ABSL_GUARDED_BY(mu) = 0;
    // The place whose callback runs next.
    uint64_t next ABSL_GUARDED_BY(mu) = 0;
    std::map<uint64_t, absl::AnyInvocable<void()>> ready ABSL_GUARDED_BY(mu);
    // Who is at the callbacks; no thread's id if nobody is.
    std::thread::id runner ABSL_GUARDED_BY(mu);
  };

  static void RunReady(Core& core) ABSL_EXCLUSIVE_LOCKS_REQUIRED(core.mu);

  const std::shared_ptr<Core> core_;
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_CALLBACK_ORDER_H_
