#ifndef SHALE_LOCKING_TESTING_COMMIT_RECORDER_H_
#define SHALE_LOCKING_TESTING_COMMIT_RECORDER_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/base/executor.h"
#include "shale/cell/timestamp.h"
#include "shale/locking/row_commit_sequencer.h"
#include "shale/locking/row_lock_table.h"

namespace shale {

struct RecordedCommit {
  int id = 0;  // Of Commit().
  std::vector<std::string> rows;
  // When it had its row locks and asked for a timestamp, and when it got that.
  absl::Duration asked;
  absl::Duration assigned;
  absl::Time wall;      // When it got it.
  bool waited = false;  // It didn't get it at once.
  Timestamp timestamp = 0;
};

// Commits as a region makes them, as far as locking goes: exclusive row locks,
// a timestamp, a place in the order of write numbers, the locks given back.
// Thread-safe. Must outlive its commits.
class CommitRecorder {
 public:
  // All outlive this.
  CommitRecorder(RowCommitSequencer& sequencer, Clock& clock,
                 Executor& executor)
      : sequencer_(sequencer), clock_(clock), locks_({}, clock, executor) {}

  // Returns at once, with the number of earlier calls.
  int Commit(std::vector<std::string> rows);

  // Those that have ended, in the order of their write numbers.
  std::vector<RecordedCommit> commits() const ABSL_LOCKS_EXCLUDED(mu_);
  int unfinished() const ABSL_LOCKS_EXCLUDED(mu_);

 private:
  RowCommitSequencer& sequencer_;
  Clock& clock_;
  RowLockTable locks_;
  mutable absl::Mutex mu_;  // A leaf.
  int begun_ ABSL_GUARDED_BY(mu_) = 0;
  std::vector<RecordedCommit> commits_ ABSL_GUARDED_BY(mu_);
};

// Fails the test unless the timestamps of each row rise strictly; no commit may
// name a row twice. `last` has those of earlier commits, and then of these.
void ExpectRising(const std::vector<RecordedCommit>& commits,
                  std::map<std::string, Timestamp>& last);

}  // namespace shale

#endif  // SHALE_LOCKING_TESTING_COMMIT_RECORDER_H_
