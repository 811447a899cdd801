#include "shale/region/manifest_store.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/outcome.h"
#include "shale/region/manifest_codec.h"

namespace shale {

absl::StatusOr<std::unique_ptr<ManifestStore>> ManifestStore::Open(
    FileSystem& files, const OwnerToken& token, Clock& clock,
    std::string name) {
  SHALE_ASSIGN_OR_RETURN(MetaObject object, ReadMeta(files, name));
  SHALE_ASSIGN_OR_RETURN(Manifest manifest, DecodeManifest(object));
  return std::unique_ptr<ManifestStore>(
      new ManifestStore(files, token, clock, std::move(name),
                        std::move(manifest), object.version));
}

absl::Status ManifestStore::Create(FileSystem& files, const OwnerToken& token,
                                   const std::string& name, Manifest manifest) {
  manifest.commit_id = Uuid::Generate();
  const absl::StatusOr<MetaVersion> committed =
      CommitMeta(files, name, EncodeManifest(manifest), MetaVersion{}, token);
  if (OutcomeOf(committed.status()) == FileOutcome::kConflict) {
    return absl::AlreadyExistsError(absl::StrCat(name, ": exists already"));
  }
  return committed.status();
}

Manifest ManifestStore::current() const {
  absl::MutexLock lock(&mu_);
  return manifest_;
}

void ManifestStore::Adopt(Manifest next, MetaVersion version) {
  version_ = version;
  absl::MutexLock lock(&mu_);
  manifest_ = std::move(next);
}

absl::Status ManifestStore::Update(absl::FunctionRef<void(Manifest&)> change) {
  absl::MutexLock lock(&commit_mu_);
  if (!undecided_.ok()) return undecided_;
  Manifest next = current();
  change(next);
  next.commit_id = Uuid::Generate();
  const std::string bytes = EncodeManifest(next);
  absl::Status last;
  // Whether some attempt may have been applied, now or later.
  bool maybe_applied = false;
  absl::Duration pause = kFirstPause;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (attempt > 0) {
      clock_.SleepUntil(clock_.Monotonic() + pause);
      pause *= 2;
    }
    absl::StatusOr<MetaVersion> committed =
        CommitMeta(files_, name_, bytes, version_, token_);
    if (committed.ok()) {
      Adopt(std::move(next), *committed);
      return absl::OkStatus();
    }
    last = committed.status();
    const FileOutcome outcome = OutcomeOf(last);
    maybe_applied |=
        outcome == FileOutcome::kUnknown || outcome == FileOutcome::kIoError;
    // Whatever the error says: too much would be removed for one that is wrong.
    // A commit of ours that arrives late loses against the next attempt's, or
    // makes it lose: then the commit id tells.
    absl::StatusOr<MetaObject> object = ReadMeta(files_, name_);
    if (!object.ok() || object->version == version_) {
      if (!maybe_applied && outcome != FileOutcome::kConflict) return last;
      continue;
    }
    absl::StatusOr<Manifest> found = DecodeManifest(*object);
    if (!found.ok()) {
      last = found.status();
      break;
    }
    if (found->commit_id != next.commit_id) {
      return absl::AbortedError(
          absl::StrCat(name_, ": another owner has replaced it: version ",
                       object->version.value, ", want ", version_.value));
    }
    Adopt(std::move(next), object->version);
    return absl::OkStatus();
  }
  undecided_ = absl::UnknownError(absl::StrCat(
      name_, ": outcome of a commit is unknown: ", last.message()));
  return undecided_;
}

}  // namespace shale
