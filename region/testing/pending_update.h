#ifndef SHALE_REGION_TESTING_PENDING_UPDATE_H_
#define SHALE_REGION_TESTING_PENDING_UPDATE_H_

#include <utility>

#include "absl/synchronization/notification.h"
#include "shale/region/region.h"
#include "shale/region/update_result.h"

namespace shale {

// An increment, append or check that is under way, and what becomes of it.
// Outlives its answer.
class PendingUpdate {
 public:
  // For one call.
  Region::UpdateDone callback() {
    return [this](UpdateResult result) {
      result_ = std::move(result);
      answered_.Notify();
    };
  }

  bool answered() const { return answered_.HasBeenNotified(); }
  const UpdateResult& Wait() {
    answered_.WaitForNotification();
    return result_;
  }

 private:
  absl::Notification answered_;
  UpdateResult result_;
};

}  // namespace shale

#endif  // SHALE_REGION_TESTING_PENDING_UPDATE_H_
