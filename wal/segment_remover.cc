#include "shale/wal/segment_remover.h"

#include "absl/strings/str_cat.h"

namespace shale {

SegmentRemover::SegmentRemover(FileSystem& files, const OwnerToken& token,
                               LogSink& log)
    : files_(files), token_(token), log_(log) {}

SegmentRemover::~SegmentRemover() {
  absl::MutexLock lock(&mu_);
  stopping_ = true;
  mu_.Await(absl::Condition(
      +[](bool* removing) { return !*removing; }, &removing_));
}

void SegmentRemover::Remove(const std::vector<std::string>& names) {
  {
    absl::MutexLock lock(&mu_);
    names_.insert(names_.end(), names.begin(), names.end());
    if (removing_ || names_.empty()) return;
    removing_ = true;
  }
  RemoveFirst();
}

void SegmentRemover::RemoveFirst() {
  std::string name;
  {
    absl::MutexLock lock(&mu_);
    name = names_.front();
  }
  files_.Remove(name, token_,
                [this](absl::Status status) { OnRemoved(status); });
}

void SegmentRemover::OnRemoved(const absl::Status& status) {
  if (!status.ok()) {
    log_.Log(Severity::kWarning, "wal",
             absl::StrCat("a segment that isn't needed any more stays: ",
                          status.ToString()));
  }
  {
    absl::MutexLock lock(&mu_);
    if (status.ok()) names_.pop_front();
    if (!status.ok() || names_.empty() || stopping_) {
      removing_ = false;
      return;
    }
  }
  RemoveFirst();
}

}  // namespace shale
