#ifndef SHALE_FILTER_LIFETIMES_H_
#define SHALE_FILTER_LIFETIMES_H_

#include <map>

#include "absl/container/inlined_vector.h"
#include "shale/cell/write_number.h"

namespace shale {

// The lifetimes of a column's puts, and which later puts they push out.
//
// A put lives from its own number up to, and without, the number of the write
// that ends it. Puts are added newest timestamp first; a put of a smaller
// timestamp is excess, and dead for good, if at its own number or later
// `max_versions` of the puts before it were alive together.
//
// What keeps this small: let F be excess_below(), the end of the last stretch
// of numbers with max_versions alive. A put below F is excess, and it died
// within that stretch or before, so it was not alive at F or later. A put at F
// or above is not excess. So only what happens from F on matters, and an excess
// put adds nothing to it.
//
// With one version, or while no lifetime has an end, that takes no more than a
// few numbers. Else a map of how many were alive when; with n puts and
// max_versions v it takes O(n * v * log(n)) time at worst, since no stretch is
// counted more often than v times. Not thread-safe.
class Lifetimes {
 public:
  // REQUIRES: max_versions >= 1.
  explicit Lifetimes(int max_versions) : max_versions_(max_versions) {}

  // Begins another column.
  void Clear();

  // Adds a put that was alive from `birth` until before `death`;
  // kMaxWriteNumber means to this day. REQUIRES: excess_below() <= birth <
  // death.
  void Add(WriteNumber birth, WriteNumber death);

  // The next puts with a smaller number than this are excess. kMaxWriteNumber
  // if max_versions live to this day, so that all are.
  WriteNumber excess_below() const { return excess_below_; }

 private:
  using Depths = std::map<WriteNumber, int>;

  void AddToDepths(WriteNumber birth, WriteNumber death);
  // Makes `number` the start of a stretch.
  Depths::iterator SplitAt(WriteNumber number);

  const int max_versions_;
  WriteNumber excess_below_;
  // Those that live to this day; moved into depths_ once that is in use.
  int living_ = 0;
  absl::InlinedVector<WriteNumber, 4> living_births_;
  // From each number up to the next one: how many were alive. Empty until the
  // first lifetime that has an end; then it begins at excess_below_.
  Depths depths_;
};

}  // namespace shale

#endif  // SHALE_FILTER_LIFETIMES_H_
