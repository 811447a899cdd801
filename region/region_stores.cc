#include "shale/region/region_stores.h"

#include <utility>

#include "shale/base/check.h"

namespace shale {

RegionStores::RegionStores(
    std::vector<std::vector<std::shared_ptr<StoreFile>>> files) {
  RegionView view;
  for (std::vector<std::shared_ptr<StoreFile>>& of_family : files) {
    view.push_back(
        {std::make_shared<MemstoreSegment>(), nullptr, std::move(of_family)});
  }
  view_ = std::make_shared<const RegionView>(std::move(view));
}

std::shared_ptr<const RegionView> RegionStores::view() const {
  absl::MutexLock lock(&mu_);
  return view_;
}

void RegionStores::Freeze() {
  absl::MutexLock lock(&mu_);
  RegionView next = *view_;
  for (StoreView& store : next) {
    SHALE_CHECK(store.frozen == nullptr);
    store.frozen = std::move(store.active);
    store.active = std::make_shared<MemstoreSegment>();
  }
  view_ = std::make_shared<const RegionView>(std::move(next));
}

void RegionStores::CommitFlush(
    absl::Span<const std::shared_ptr<StoreFile>> flushed) {
  absl::MutexLock lock(&mu_);
  RegionView next = *view_;
  SHALE_CHECK(flushed.size() == next.size());
  for (size_t id = 0; id < next.size(); ++id) {
    next[id].frozen = nullptr;
    if (flushed[id] == nullptr) continue;
    next[id].files.insert(next[id].files.begin(), flushed[id]);
  }
  view_ = std::make_shared<const RegionView>(std::move(next));
}

void RegionStores::ReplaceOldest(
    size_t family, absl::Span<const std::shared_ptr<StoreFile>> inputs,
    std::shared_ptr<StoreFile> output) {
  absl::MutexLock lock(&mu_);
  RegionView next = *view_;
  std::vector<std::shared_ptr<StoreFile>>& files = next[family].files;
  SHALE_CHECK(files.size() >= inputs.size());
  const size_t kept = files.size() - inputs.size();
  for (size_t i = 0; i < inputs.size(); ++i) {
    SHALE_CHECK(files[kept + i] == inputs[i]);
    inputs[i]->MarkObsolete();
  }
  files.resize(kept);
  if (output != nullptr) files.push_back(std::move(output));
  view_ = std::make_shared<const RegionView>(std::move(next));
}

}  // namespace shale
