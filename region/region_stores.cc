#include "shale/region/region_stores.h"

#include <utility>

#include "shale/base/check.h"

namespace shale {

RegionStores::RegionStores(std::vector<StoreFiles> files) {
  RegionView view;
  for (StoreFiles& of_family : files) {
    view.push_back(
        {std::make_shared<MemstoreSegment>(), nullptr, std::move(of_family)});
  }
  view_ = std::make_shared<const RegionView>(std::move(view));
}

std::shared_ptr<const RegionView> RegionStores::view() const {
  absl::MutexLock lock(&mu_);
  return view_;
}

void RegionStores::Change(absl::FunctionRef<void(RegionView&)> change) {
  // Goes after the lock: with it may go a memstore, or files that are removed.
  std::shared_ptr<const RegionView> old;
  absl::MutexLock lock(&mu_);
  RegionView next = *view_;
  change(next);
  old =
      std::exchange(view_, std::make_shared<const RegionView>(std::move(next)));
}

void RegionStores::Freeze() {
  Change([](RegionView& view) {
    for (StoreView& store : view) {
      SHALE_CHECK(store.frozen == nullptr);
      store.frozen = std::move(store.active);
      store.active = std::make_shared<MemstoreSegment>();
    }
  });
}

void RegionStores::CommitFlush(
    absl::Span<const std::shared_ptr<StoreFile>> flushed) {
  Change([flushed](RegionView& view) {
    SHALE_CHECK(flushed.size() == view.size());
    for (size_t id = 0; id < view.size(); ++id) {
      view[id].frozen = nullptr;
      if (flushed[id] == nullptr) continue;
      view[id].files.insert(view[id].files.begin(), flushed[id]);
    }
  });
}

void RegionStores::ReplaceOldest(
    size_t family, absl::Span<const std::shared_ptr<StoreFile>> inputs,
    std::shared_ptr<StoreFile> output) {
  Change([&](RegionView& view) {
    StoreFiles& files = view[family].files;
    SHALE_CHECK(files.size() >= inputs.size());
    const size_t kept = files.size() - inputs.size();
    for (size_t i = 0; i < inputs.size(); ++i) {
      SHALE_CHECK(files[kept + i] == inputs[i]);
      inputs[i]->MarkObsolete();
    }
    files.resize(kept);
    if (output != nullptr) files.push_back(std::move(output));
  });
}

}  // namespace shale
