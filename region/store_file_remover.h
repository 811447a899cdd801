#ifndef SHALE_REGION_STORE_FILE_REMOVER_H_
#define SHALE_REGION_STORE_FILE_REMOVER_H_

#include <cstdint>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/log_sink.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/owner_token.h"

namespace shale {

// Removes the store files of one region that nobody reads any more. Whoever
// happens to be the last to let go of one may hold locks, or be a thread that
// must not block: removing it does neither. What can't be removed is logged; it
// is an orphan that the next open collects. Thread-safe.
class StoreFileRemover {
 public:
  // `files` and `log` outlive it.
  StoreFileRemover(FileSystem& files, const OwnerToken& token, LogSink& log);
  ~StoreFileRemover() { Drain(); }

  void Remove(const std::string& name) ABSL_LOCKS_EXCLUDED(mu_);

  // Blocks until no removal is under way. While the owner still may change
  // files, before it lets others in.
  void Drain() ABSL_LOCKS_EXCLUDED(mu_);

 private:
  void OnRemoved(const absl::Status& status) ABSL_LOCKS_EXCLUDED(mu_);

  FileSystem& files_;
  const OwnerToken token_;
  LogSink& log_;

  absl::Mutex mu_;  // A leaf.
  int64_t removing_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace shale

#endif  // SHALE_REGION_STORE_FILE_REMOVER_H_
