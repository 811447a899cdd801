#ifndef SHALE_REGION_REGION_STORES_H_
#define SHALE_REGION_REGION_STORES_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "shale/memstore/memstore_segment.h"
#include "shale/region/store_file.h"

namespace shale {

// Where the cells of one family are, newest first: active, frozen, files.
struct StoreView {
  std::shared_ptr<MemstoreSegment> active;
  // What a flush is writing out; null if there is none.
  std::shared_ptr<MemstoreSegment> frozen;
  StoreFiles files;
};

// All families of a region at one moment, by family id. Immutable; who holds it
// keeps everything in it readable.
using RegionView = std::vector<StoreView>;

// The current view, and the few steps that change it. Thread-safe.
//
// A reader that pins its read point first and takes the view afterwards finds
// every cell visible at that point in it: cells move from active to frozen to
// file, never out of the view before the view has their next place.
class RegionStores {
 public:
  // `files` by family id, newest first.
  explicit RegionStores(std::vector<StoreFiles> files);

  std::shared_ptr<const RegionView> view() const ABSL_LOCKS_EXCLUDED(mu_);

  // Makes every active segment frozen and a new one active. REQUIRES: nothing
  // is frozen, and no insert is under way (the updates lock is held
  // exclusively).
  void Freeze() ABSL_LOCKS_EXCLUDED(mu_);

  // Puts `flushed[id]` (null: the family had no cells to keep) in the place of
  // each frozen segment.
  void CommitFlush(absl::Span<const std::shared_ptr<StoreFile>> flushed)
      ABSL_LOCKS_EXCLUDED(mu_);

  // Puts `output` (null: nothing was left) in the place of the files of
  // `family` that are in `inputs`, which are the oldest ones, and marks these
  // obsolete.
  void ReplaceOldest(size_t family,
                     absl::Span<const std::shared_ptr<StoreFile>> inputs,
                     std::shared_ptr<StoreFile> output)
      ABSL_LOCKS_EXCLUDED(mu_);

 private:
  // Makes a changed copy of the view the current one.
  void Change(absl::FunctionRef<void(RegionView&)> change)
      ABSL_LOCKS_EXCLUDED(mu_);

  mutable absl::Mutex mu_;  // A leaf.
  std::shared_ptr<const RegionView> view_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_REGION_REGION_STORES_H_
