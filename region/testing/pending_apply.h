#ifndef SHALE_REGION_TESTING_PENDING_APPLY_H_
#define SHALE_REGION_TESTING_PENDING_APPLY_H_

#include <utility>

#include "absl/synchronization/notification.h"
#include "shale/region/mutation_batch.h"
#include "shale/region/region.h"

namespace shale {

// A batch that is under way, and what becomes of it. Outlives its answer.
class PendingApply {
 public:
  PendingApply(Region& region, MutationBatch batch) {
    region.ApplyAsync(std::move(batch), [this](ApplyResult result) {
      result_ = std::move(result);
      answered_.Notify();
    });
  }

  bool answered() const { return answered_.HasBeenNotified(); }
  const ApplyResult& Wait() {
    answered_.WaitForNotification();
    return result_;
  }

 private:
  absl::Notification answered_;
  ApplyResult result_;
};

}  // namespace shale

#endif  // SHALE_REGION_TESTING_PENDING_APPLY_H_
