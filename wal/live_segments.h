// The segments that a log is made of while it is open.
#ifndef SHALE_WAL_LIVE_SEGMENTS_H_
#define SHALE_WAL_LIVE_SEGMENTS_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/cell/log_position.h"
#include "shale/wal/segment_header.h"

namespace shale {

// Knows the chain of a generation's segments. A segment joins it once a sync of
// it has succeeded; one that is given up before that leaves no trace, and its
// successor names the same predecessor.
//
// Thread-safe.
class LiveSegments {
 public:
  // A new generation, which begins at `start` and takes over from that of
  // `source_epoch` (0: none).
  LiveSegments(uint64_t epoch, LogPosition start, uint64_t source_epoch);

  // What the next segment is to say of itself. REQUIRES: the log is durable up
  // to `first`, where it begins.
  SegmentHeader NextHeader(uint64_t counter, LogPosition first,
                           absl::Time now) const ABSL_LOCKS_EXCLUDED(mu_);

  // `header` and perhaps more of its segment is durable: it is the last of the
  // chain from here on, and the one before it ends where it begins.
  void Join(const SegmentHeader& header) ABSL_LOCKS_EXCLUDED(mu_);

  // The `recovered` marker will end at `marker`: to be told before it is
  // appended, so that no segment is begun after it that doesn't know. Nothing
  // is trimmed before that.
  void SetRecovered(LogPosition marker) ABSL_LOCKS_EXCLUDED(mu_);

  // Drops the oldest segments that end at or below `needed`, and gives them;
  // the log is kept from kept_from() on then. The last of the chain always
  // stays, as it alone tells how the log goes on.
  std::vector<SegmentId> Trim(LogPosition needed) ABSL_LOCKS_EXCLUDED(mu_);
  LogPosition kept_from() const ABSL_LOCKS_EXCLUDED(mu_);
  // From here on Trim gives nothing.
  void StopTrimming() ABSL_LOCKS_EXCLUDED(mu_);

  int64_t count() const ABSL_LOCKS_EXCLUDED(mu_);
  // Where the oldest segments end that are more than `max`; kLogStart if they
  // are not more.
  LogPosition EndOfExcess(int max) const ABSL_LOCKS_EXCLUDED(mu_);

 private:
  struct Segment {
    SegmentId id;
    LogPosition first;
  };

  const uint64_t epoch_;
  const LogPosition generation_start_;
  const uint64_t source_epoch_;

  mutable absl::Mutex mu_;  // A leaf.
  std::deque<Segment> chain_ ABSL_GUARDED_BY(mu_);
  LogPosition kept_from_ ABSL_GUARDED_BY(mu_);
  LogPosition recovered_ ABSL_GUARDED_BY(mu_);
  bool trimming_ ABSL_GUARDED_BY(mu_) = true;
};

}  // namespace shale

#endif  // SHALE_WAL_LIVE_SEGMENTS_H_
