#ifndef SHALE_REGION_SPACE_RESERVE_H_
#define SHALE_REGION_SPACE_RESERVE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/log_sink.h"
#include "shale/filesystem/append_file.h"
#include "shale/filesystem/file_system.h"

namespace shale {

// Space of the host's disk that is set aside for the next flush and the next
// recovery, which need some where there is none for anything else, and end in
// more free space than they found. It is an empty file
// (docs/decisions/0013-space-for-the-next-flush.md). Nothing fails for its
// sake; what goes wrong is told to the log sink. Thread-safe.
class SpaceReserve {
 public:
  // Of `bytes`, 0 for none, under "`directory`/reserve/". `files` and `log`
  // outlive it. What it holds at its end stays, as after a crash, for Reclaim.
  SpaceReserve(FileSystem& files, const OwnerToken& token,
               absl::string_view directory, int64_t bytes, LogSink& log);

  // Gives back what earlier owners have set aside.
  void Reclaim() ABSL_LOCKS_EXCLUDED(mu_);

  // Sets the space aside, unless it is.
  void Renew() ABSL_LOCKS_EXCLUDED(mu_);

  // Gives it back to the file system. False if there surely was none. What
  // could not be given back is tried again by the next call of these three.
  bool Release() ABSL_LOCKS_EXCLUDED(mu_);

 private:
  // Removes what shouldn't be there; whether anything was.
  bool RemoveStrays() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  FileSystem& files_;
  const OwnerToken token_;
  const std::string prefix_;
  const int64_t bytes_;
  LogSink& log_;
  absl::Mutex mu_;  // Held during I/O; nothing but that is done under it.
  int64_t made_ ABSL_GUARDED_BY(mu_) = 0;
  std::unique_ptr<AppendFile> file_ ABSL_GUARDED_BY(mu_);
  std::string name_ ABSL_GUARDED_BY(mu_);
  // Files that are to go and may be there: of earlier owners, of a creation
  // whose outcome is unknown, released ones.
  std::vector<std::string> strays_ ABSL_GUARDED_BY(mu_);
  // Whether it was said that there is none, since there last was.
  bool told_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace shale

#endif  // SHALE_REGION_SPACE_RESERVE_H_
