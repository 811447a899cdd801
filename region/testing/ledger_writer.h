#ifndef SHALE_REGION_TESTING_LEDGER_WRITER_H_
#define SHALE_REGION_TESTING_LEDGER_WRITER_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "shale/region/mutation_batch.h"
#include "shale/region/region.h"

namespace shale {

// Writes numbered batches, one after the other, from which it can be told later
// what has survived: after a crash the rows of this writer must be exactly as
// its first n batches left them, for some n. So no batch is torn, none is
// missing before another one, and n is no smaller than Acknowledge() said.
//
// Each batch puts into two families of a row of its own and into a row that
// tells the last batch's number and counts all of them; every fourth one
// deletes an earlier row. Each has a nonce, so that none is counted twice when
// it is sent again. Not thread-safe.
class LedgerWriter {
 public:
  explicit LedgerWriter(int id) : id_(id) {}

  // Applies the next batch. It counts as written once that returns OK.
  absl::Status Write(Region& region, Durability durability);

  // All that is written survives every crash from here on.
  void Acknowledge() { acknowledged_ = next_; }

  // DATA_LOSS with the first difference if the rows are not as some number of
  // batches leaves them, or if that number is too small. Otherwise goes on from
  // there, all of it acknowledged: what was once read after a crash stays.
  absl::Status Check(const Region& region);

  // Sends the last batch that is there once more, which must change nothing;
  // then as Check.
  absl::Status Repeat(Region& region);

  int64_t acknowledged() const { return acknowledged_; }

 private:
  std::string RowOf(int64_t batch) const;
  std::string LastRow() const;
  // The text that batch puts; the same in each of its cells.
  std::string ValueOf(int64_t batch) const;
  MutationBatch Batch(int64_t batch) const;
  // The scan's text after `batches` of them.
  std::string Expected(int64_t batches) const;

  const int id_;
  int64_t next_ = 0;
  // Batches begun: those up to here may be there though never answered.
  int64_t begun_ = 0;
  int64_t acknowledged_ = 0;
};

}  // namespace shale

#endif  // SHALE_REGION_TESTING_LEDGER_WRITER_H_
