#ifndef SHALE_REGION_MANIFEST_STORE_H_
#define SHALE_REGION_MANIFEST_STORE_H_

#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "shale/base/clock.h"
#include "shale/filesystem/file_system.h"
#include "shale/region/manifest.h"

namespace shale {

// The manifest of one open region, and its replacement by compare-and-swap.
// Thread-safe: updates are made one at a time, each on top of the one before.
class ManifestStore {
 public:
  // Reads the manifest object `name`. NOT_FOUND, or as DecodeManifest. `files`
  // and `clock` outlive the store.
  static absl::StatusOr<std::unique_ptr<ManifestStore>> Open(
      FileSystem& files, const OwnerToken& token, Clock& clock,
      std::string name);

  // Writes the first manifest of a region. ALREADY_EXISTS if there is one.
  static absl::Status Create(FileSystem& files, const OwnerToken& token,
                             const std::string& name, Manifest manifest);

  // The manifest committed last; never waits for a commit under way.
  Manifest current() const ABSL_LOCKS_EXCLUDED(mu_);

  // Applies `change` to a copy of the current manifest and commits it, durably.
  // After any error it reads back what is there, and is done if that is its
  // own. If not, and the outcome is unknown, it tries again, up to kAttempts
  // times, after pauses that double, 150 ms in all. Errors: ABORTED if another
  // owner has replaced the manifest; UNKNOWN if the outcome stays unknown, and
  // so do all later updates: nothing that either manifest names may be removed
  // then. Any other error: not applied.
  absl::Status Update(absl::FunctionRef<void(Manifest&)> change)
      ABSL_LOCKS_EXCLUDED(commit_mu_, mu_);

 private:
  static constexpr int kAttempts = 5;
  static constexpr absl::Duration kFirstPause = absl::Milliseconds(10);

  ManifestStore(FileSystem& files, const OwnerToken& token, Clock& clock,
                std::string name, Manifest manifest, MetaVersion version)
      : files_(files),
        token_(token),
        clock_(clock),
        name_(std::move(name)),
        version_(version),
        manifest_(std::move(manifest)) {}

  // `next` was committed as `version`.
  void Adopt(Manifest next, MetaVersion version)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(commit_mu_) ABSL_LOCKS_EXCLUDED(mu_);

  FileSystem& files_;
  const OwnerToken token_;
  Clock& clock_;
  const std::string name_;
  // Held while the commit is on its way. Order: this -> the file system's locks
  // and whatever `change` looks at (mvcc's).
  absl::Mutex commit_mu_;
  MetaVersion version_ ABSL_GUARDED_BY(commit_mu_);
  // The first commit whose outcome stayed unknown.
  absl::Status undecided_ ABSL_GUARDED_BY(commit_mu_);
  // A leaf; for changes after commit_mu_.
  mutable absl::Mutex mu_;
  Manifest manifest_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_REGION_MANIFEST_STORE_H_
