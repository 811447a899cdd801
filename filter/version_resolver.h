#ifndef SHALE_FILTER_VERSION_RESOLVER_H_
#define SHALE_FILTER_VERSION_RESOLVER_H_

#include <string>

#include "absl/container/inlined_vector.h"
#include "shale/cell/cell.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"
#include "shale/filter/delete_markers.h"
#include "shale/filter/lifetimes.h"
#include "shale/filter/retention_rules.h"

namespace shale {

// What a read looks at.
struct ReadView {
  // Cells with larger numbers do not exist.
  WriteNumber read_point = kMaxWriteNumber;
  // For the time to live; one value for a whole scan.
  Timestamp now = 0;
  TimeRange time_range = {};
  // How many versions of a column the read wants. Range [1, kAllVersions].
  int max_versions = 1;
};

// Cells with smaller timestamps, markers too, change nothing that a read sees:
// a cell acts on no newer puts, and those that are no newer are before the time
// range, or expired and not kept for the sake of min_versions. To leave out
// whole files with; the resolver itself needs no help.
Timestamp OldestThatCounts(const RetentionRules& rules, const ReadView& view);

// Which cells of a family a flush or compaction has before it, in the rows that
// it rewrites. What it may drop depends on what it can't see.
enum class RewriteScope {
  // Some files. Cells with any numbers may be elsewhere.
  kScattered,
  // All cells with numbers in some range: a flush, or neighbouring files. Older
  // and newer ones may be elsewhere.
  kRun,
  // All cells up to some number: a run that begins with the oldest file.
  kFromOldest,
};

// How a flush or compaction looks at what it rewrites.
struct RewriteView {
  // No reader has a smaller read point. Cells with larger numbers are kept as
  // they are and decide nothing.
  WriteNumber smallest_pinned = kNoWriteNumber;
  // At most the `now` of any reader of what is written.
  Timestamp now = 0;
  RewriteScope scope = RewriteScope::kScattered;
};

// Decides which cells of a family a read sees and which ones a flush or
// compaction keeps: the one place that knows deletes, versions and time to
// live. docs/deletes-and-versions.md has the model and why this agrees with it.
//
// It is offered cells one by one, in key order, and copies no more of them than
// the current row and qualifier.
//
// Invariants, under DeleteRule::kSequence:
//   V1. A read sees what is left when all writes up to its read point are
//       applied one after the other to a map (testing/naive_family.h).
//   V2. Rewriting changes no read at smallest_pinned or later, whatever is
//       written afterwards. (One exception, with min_versions: see the model.)
//
// Not thread-safe.
class VersionResolver {
 public:
  enum class Verdict {
    kInclude,
    // Included, and nothing more of its column will be: seek on, or go on
    // offering and hear kNextColumn or kSkip.
    kIncludeAndNextColumn,
    kSkip,
    // Not included, and nothing more of its column will be.
    kNextColumn,
  };

  VersionResolver(const RetentionRules& rules, const ReadView& view);
  VersionResolver(const RetentionRules& rules, const RewriteView& view);

  // REQUIRES: cells of one family in key order. Left out may be columns, except
  // the family markers of a row of which any column is offered; and the rest of
  // a column after a verdict that says so.
  Verdict Offer(const CellView& cell);

 private:
  enum class Purpose { kRead, kRewrite };

  VersionResolver(const RetentionRules& rules, Purpose purpose,
                  WriteNumber horizon, Timestamp now);

  void EnterColumnOf(const CellView& cell);
  Verdict OfferMarker(const CellView& marker);
  Verdict OfferPutByTimestamp(const CellView& put);
  Verdict OfferPutBySequence(const CellView& put);
  // Some cells of the column may be elsewhere.
  Verdict OfferMarkerToPart(const CellView& marker);
  Verdict OfferPutToPart(const CellView& put);

  // A put that lives, as `living_`th of its column.
  bool HiddenByAge(const CellView& put) const;
  WriteNumber DeathOf(const CellView& put);
  void RaisePutCut(WriteNumber birth, WriteNumber death);
  // Nothing more of the column is included.
  Verdict EndColumn();
  Verdict IncludeAndEndColumn();

  const RetentionRules rules_;
  const Purpose purpose_;
  // Cells with larger numbers are skipped when reading, kept when rewriting.
  const WriteNumber horizon_;
  const Timestamp expired_before_;
  TimeRange time_range_;
  int wanted_versions_ = kAllVersions;
  RewriteScope scope_ = RewriteScope::kFromOldest;

  // Of the current row and column.
  bool started_ = false;
  std::string row_;
  std::string qualifier_;
  bool column_ended_ = false;
  DeleteMarkers markers_;
  Lifetimes lifetimes_;
  int living_ = 0;
  int included_ = 0;
  // The put before, if there was one in this column.
  Timestamp last_put_timestamp_ = 0;
  WriteNumber last_put_number_;
  // Of a part: puts and markers of this column with numbers up to put_cut_ are
  // not needed, because of the puts kept so far. For several versions: the
  // largest births of those that live to the horizon, as a min-heap.
  WriteNumber put_cut_;
  absl::InlinedVector<WriteNumber, 4> witnesses_;
};

}  // namespace shale

#endif  // SHALE_FILTER_VERSION_RESOLVER_H_
