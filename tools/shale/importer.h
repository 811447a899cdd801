#ifndef SHALE_TOOLS_SHALE_IMPORTER_H_
#define SHALE_TOOLS_SHALE_IMPORTER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/cell/timestamp.h"
#include "shale/region/mutation_batch.h"
#include "shale/tools/shale/column_spec.h"
#include "shale/tools/shale/delimited_reader.h"

namespace shale {

struct ImportOptions {
  std::vector<ImportField> fields;
  // Lines at the beginning that aren't data.
  uint64_t skip_lines = 0;
  // One more bad line, and the import fails.
  uint64_t max_bad_lines = 0;
  // Lines in one batch, which shares one sync. >= 1.
  size_t batch_lines = 1000;
  Durability durability = Durability::kDefault;
  // For lines without a TS_KEY.
  Timestamp timestamp = kLatestTimestamp;
};

struct BadLine {
  uint64_t number = 0;  // From 1.
  std::string problem;
};

// How many bad lines are kept to be shown; all are counted.
inline constexpr size_t kBadLinesShown = 10;

struct ImportResult {
  uint64_t lines = 0;     // Read, without skipped ones.
  uint64_t imported = 0;  // Lines; acknowledged at the durability asked for.
  uint64_t cells = 0;
  uint64_t bad = 0;
  std::vector<BadLine> first_bad;
};

// Writes the lines of a delimited text into a region, in order and in batches:
// of two lines with the same row the later one wins, and an import that was cut
// off may simply be run again. Not thread-safe; for one use.
class Importer {
 public:
  // Region::Apply; OK or the batch's fate, a status for each line.
  using Apply = absl::FunctionRef<ApplyResult(MutationBatch)>;
  // Bytes read and lines imported so far.
  using OnProgress = absl::FunctionRef<void(uint64_t, uint64_t)>;

  // `reader` and what the references refer to outlive the importer.
  Importer(const ImportOptions& options, DelimitedReader& reader, Apply apply,
           OnProgress on_progress)
      : options_(options),
        reader_(reader),
        apply_(apply),
        on_progress_(on_progress) {}

  // Imports to the end. INVALID_ARGUMENT when there are too many bad lines, or
  // any other error of reading or writing, naming the line and how many lines
  // are imported: they stay, and result() tells of them.
  absl::Status Run();

  const ImportResult& result() const { return result_; }

 private:
  absl::Status AddLine();
  // Writes the lines collected.
  absl::Status ApplyBatch();
  absl::Status AddBadLine(uint64_t number, absl::string_view problem);

  const ImportOptions options_;
  DelimitedReader& reader_;
  const Apply apply_;
  const OnProgress on_progress_;
  MutationBatch batch_;
  std::vector<uint64_t> batch_lines_;  // The number of each line in batch_.
  ImportResult result_;
};

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_IMPORTER_H_
