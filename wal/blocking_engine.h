#ifndef SHALE_WAL_BLOCKING_ENGINE_H_
#define SHALE_WAL_BLOCKING_ENGINE_H_

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/cell/log_position.h"
#include "shale/wal/active_segment.h"
#include "shale/wal/log_engine.h"
#include "shale/wal/log_state.h"
#include "shale/wal/segment_source.h"
#include "shale/wal/syncer_pool.h"

namespace shale {

// The engine of HBase's FSHLog (release 2.0): one thread, the consumer, writes
// what has been appended and after each batch hands a sync to the next of a few
// syncers in turn, each of which blocks in the file system. So as long as a
// syncer is free nearly every entry costs a sync of its own; only once all are
// busy do entries gather, until one of them is done: a sync covers all that is
// written when it begins, and the consumer rests meanwhile.
//
// Failures, all within the consumer:
//   a write or sync fails:  what isn't durable is written again, to the next
//                           segment
//   no space, unavailable:  stalled; the same after a pause, for ever
//   fenced, or three times in a row no segment could be made or written:
//                           poisoned
//
// Thread-safe.
class BlockingEngine final : public LogEngine {
 public:
  explicit BlockingEngine(LogState& log);
  ~BlockingEngine() override;

  void Wake() override ABSL_LOCKS_EXCLUDED(mu_);
  void Roll(RollDone done) override ABSL_LOCKS_EXCLUDED(mu_);
  void SetPatient(bool patient) override ABSL_LOCKS_EXCLUDED(mu_);
  void Abort() override ABSL_LOCKS_EXCLUDED(mu_);
  void Finish() override ABSL_LOCKS_EXCLUDED(mu_);

 private:
  using Segment = std::shared_ptr<ActiveSegment>;

  // The consumer.
  void Consume() ABSL_LOCKS_EXCLUDED(mu_);
  bool AwaitWork() ABSL_LOCKS_EXCLUDED(mu_);
  // Does something of what there is to do; false if there is nothing.
  bool Step() ABSL_LOCKS_EXCLUDED(mu_);
  void HandSync(const Segment& segment, bool forced);

  bool RollIsDue(const ActiveSegment& segment) ABSL_LOCKS_EXCLUDED(mu_);
  // False if the log was ended meanwhile.
  bool RollOver(const Segment& segment) ABSL_LOCKS_EXCLUDED(mu_);
  // Puts a new segment in the place of one that failed, or of none. False if it
  // can't go on.
  bool Replace(const Segment& failed) ABSL_LOCKS_EXCLUDED(mu_);
  // A new segment that begins where the log is durable, with its header
  // written.
  absl::StatusOr<Segment> Begin();
  void Install(Segment segment) ABSL_LOCKS_EXCLUDED(mu_);

  // Whether to try again after `cause`, when it is time to.
  bool Endure(const absl::Status& cause) ABSL_LOCKS_EXCLUDED(mu_);
  bool Stall(const absl::Status& cause) ABSL_LOCKS_EXCLUDED(mu_);
  // Waits for `time`, or until the engine stops, or also until it is not to be
  // patient any more. False if it stops.
  bool Pause(absl::Duration time, bool while_patient) ABSL_LOCKS_EXCLUDED(mu_);

  void AnswerRolls(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mu_);
  void Stop() ABSL_LOCKS_EXCLUDED(mu_);

  LogState& log_;

  // Of the consumer alone.
  SegmentSource source_;
  Segment retired_;           // The last that was rolled; being finished.
  absl::Status first_cause_;  // Since something became durable.
  LogPosition failed_at_;     // How far the log was durable at that failure.
  int strikes_ = 0;           // Segments in a row not made or not written.
  int failed_syncs_ = 0;      // Segments in a row that could not be synced.
  absl::Duration roll_not_before_ = -absl::InfiniteDuration();

  absl::Mutex mu_;  // Order: mu_ -> locks of ActiveSegment.
  // Set, by exchange, before mu_ is passed through; taken back by exchange with
  // mu_ held, which then sees what whoever set it wants.
  std::atomic<bool> work_ = false;
  // Syncs that were handed out and aren't over. While every syncer has one
  // nobody wakes the consumer: what comes gathers until the first of them ends.
  // Wake sets work_ and then looks here; the end of a sync lowers this and then
  // looks at work_. All are sequentially consistent, so one sees the other.
  std::atomic<int> syncs_out_ = 0;
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  bool patient_ ABSL_GUARDED_BY(mu_) = false;
  // Written by the consumer.
  Segment current_ ABSL_GUARDED_BY(mu_);
  std::vector<RollDone> rolls_ ABSL_GUARDED_BY(mu_);
  // Entries up to here were appended before the last call of Roll, and belong
  // to the segment before.
  LogPosition roll_at_ ABSL_GUARDED_BY(mu_);

  std::unique_ptr<SyncerPool> syncers_;
  std::thread consumer_;
};

}  // namespace shale

#endif  // SHALE_WAL_BLOCKING_ENGINE_H_
