// Who waits for the log to become durable, and how far it is.
#ifndef SHALE_WAL_SYNC_BOARD_H_
#define SHALE_WAL_SYNC_BOARD_H_

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/cell/log_position.h"
#include "shale/wal/wal.h"

namespace shale {

// The wants of those who use a log meet what its engine has done. Changes are
// noted under the lock and told by Deliver(), outside it: by one thread at a
// time, in the order in which they happened, to the listeners and then to
// whoever waits for them.
//
// Thread-safe.
class SyncBoard {
 public:
  using Done = absl::AnyInvocable<void(absl::Status)>;

  // Everything up to `start` is durable.
  SyncBoard(LogPosition start, Clock& clock);

  // Asks for durability up to `position`. False if there is nothing to be done
  // for it.
  bool Want(LogPosition position, SyncLevel level) ABSL_LOCKS_EXCLUDED(mu_);
  // The same, and `done` is told: in the calling thread if it is decided
  // already (then false), else by Deliver.
  bool Wait(LogPosition position, SyncLevel level, Done done)
      ABSL_LOCKS_EXCLUDED(mu_);

  LogPosition wanted(SyncLevel level) const ABSL_LOCKS_EXCLUDED(mu_);
  LogPosition durable(SyncLevel level) const ABSL_LOCKS_EXCLUDED(mu_);
  LogHealth health() const ABSL_LOCKS_EXCLUDED(mu_);

  // The monotonic time since when something has been wanted and nothing came of
  // it; infinite if nothing is wanted, or the log is stalled or poisoned.
  absl::Duration waiting_since() const ABSL_LOCKS_EXCLUDED(mu_);

  // The log is durable up to these positions. Ignored where they go back, and
  // once it is poisoned.
  void Advance(LogPosition data, LogPosition full) ABSL_LOCKS_EXCLUDED(mu_);
  // Poisoned is final, and everybody who waits is told UNKNOWN.
  void SetHealth(LogHealth::State state, const absl::Status& cause)
      ABSL_LOCKS_EXCLUDED(mu_);

  // The log has got another segment.
  void NoteSegment() ABSL_LOCKS_EXCLUDED(mu_);

  // Tells what has changed. Returns at once if another thread is at it: that
  // one then tells this too.
  void Deliver() ABSL_LOCKS_EXCLUDED(mu_);

  // As Wal. Not to be called by a listener.
  void AddListener(LogListener* listener) ABSL_LOCKS_EXCLUDED(mu_);
  void RemoveListener(LogListener* listener) ABSL_LOCKS_EXCLUDED(mu_);

 private:
  static constexpr int kLevels = 2;
  using Positions = std::array<LogPosition, kLevels>;

  // What one round of Deliver tells.
  struct News {
    bool empty() const {
      return !advanced && !segment && health.empty() && done.empty();
    }

    bool advanced = false;
    bool segment = false;
    LogPosition durable;
    std::deque<LogHealth> health;
    std::vector<std::pair<Done, absl::Status>> done;
  };

  static int Index(SyncLevel level) { return static_cast<int>(level); }

  bool IsWaiting() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool WantLocked(LogPosition position, SyncLevel level)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  News TakeNews() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  static void Tell(News news, const std::vector<LogListener*>& listeners);

  Clock& clock_;

  mutable absl::Mutex mu_;  // A leaf but for the clock's own lock.
  Positions durable_ ABSL_GUARDED_BY(mu_);
  Positions wanted_ ABSL_GUARDED_BY(mu_);
  absl::Duration waiting_since_ ABSL_GUARDED_BY(mu_) = absl::InfiniteDuration();
  LogHealth health_ ABSL_GUARDED_BY(mu_);
  std::array<std::multimap<LogPosition, Done>, kLevels> waiters_
      ABSL_GUARDED_BY(mu_);
  std::vector<LogListener*> listeners_ ABSL_GUARDED_BY(mu_);

  // What Deliver has told so far, and whether somebody is at it.
  LogPosition told_durable_ ABSL_GUARDED_BY(mu_);
  bool untold_segment_ ABSL_GUARDED_BY(mu_) = false;
  std::deque<LogHealth> untold_health_ ABSL_GUARDED_BY(mu_);
  bool delivering_ ABSL_GUARDED_BY(mu_) = false;
  int64_t rounds_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace shale

#endif  // SHALE_WAL_SYNC_BOARD_H_
