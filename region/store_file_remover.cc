#include "shale/region/store_file_remover.h"

#include "absl/strings/str_cat.h"

namespace shale {

StoreFileRemover::StoreFileRemover(FileSystem& files, const OwnerToken& token,
                                   LogSink& log)
    : files_(files), token_(token), log_(log) {}

void StoreFileRemover::Remove(const std::string& name) {
  {
    absl::MutexLock lock(&mu_);
    ++removing_;
  }
  files_.Remove(name, token_,
                [this](absl::Status status) { OnRemoved(status); });
}

void StoreFileRemover::OnRemoved(const absl::Status& status) {
  if (!status.ok()) {
    log_.Log(Severity::kWarning, "region",
             absl::StrCat("a store file that isn't needed any more stays: ",
                          status.ToString()));
  }
  absl::MutexLock lock(&mu_);
  --removing_;
}

void StoreFileRemover::Drain() {
  absl::MutexLock lock(&mu_);
  mu_.Await(absl::Condition(
      +[](int64_t* removing) { return *removing == 0; }, &removing_));
}

}  // namespace shale
