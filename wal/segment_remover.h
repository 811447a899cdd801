#ifndef SHALE_WAL_SEGMENT_REMOVER_H_
#define SHALE_WAL_SEGMENT_REMOVER_H_

#include <deque>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/log_sink.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/owner_token.h"

namespace shale {

// Removes files one after the other, each durably before the next. A failure is
// logged; that file and those behind it wait for the next call. Thread-safe.
class SegmentRemover {
 public:
  // `files` and `log` outlive it.
  SegmentRemover(FileSystem& files, const OwnerToken& token, LogSink& log);
  // Waits for the call under way; what waits stays.
  ~SegmentRemover() ABSL_LOCKS_EXCLUDED(mu_);

  void Remove(const std::vector<std::string>& names) ABSL_LOCKS_EXCLUDED(mu_);

 private:
  void RemoveFirst() ABSL_LOCKS_EXCLUDED(mu_);
  void OnRemoved(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mu_);

  FileSystem& files_;
  const OwnerToken token_;
  LogSink& log_;

  absl::Mutex mu_;  // A leaf.
  std::deque<std::string> names_ ABSL_GUARDED_BY(mu_);
  bool removing_ ABSL_GUARDED_BY(mu_) = false;
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace shale

#endif  // SHALE_WAL_SEGMENT_REMOVER_H_
