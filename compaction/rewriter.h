#ifndef SHALE_COMPACTION_REWRITER_H_
#define SHALE_COMPACTION_REWRITER_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "shale/cell/cell_scanner.h"
#include "shale/filter/retention_rules.h"
#include "shale/filter/version_resolver.h"
#include "shale/storefile/store_file_writer.h"

namespace shale {

// What Rewrite read and wrote.
struct RewriteResult {
  uint64_t cells_read = 0;
  uint64_t cells_written = 0;
  // Zeros, and no file, if no cell was kept.
  StoreFileInfo info;
};

// Makes the output's writer; called when the first cell is to be kept, so that
// nothing is created for nothing.
using MakeWriter =
    absl::FunctionRef<absl::StatusOr<std::unique_ptr<StoreFileWriter>>()>;

// Copies the cells of one family from `input` to a new store file, but for
// those that no reader at or above view.smallest_pinned needs. Flush, minor and
// full compaction are this with another input and another view; what is dropped
// is VersionResolver's decision alone. `keep_going` is asked now and then; its
// error ends the rewrite, as at close. On any error the output is abandoned.
absl::StatusOr<RewriteResult> Rewrite(
    CellScanner& input, const RetentionRules& rules, const RewriteView& view,
    MakeWriter make_writer,
    absl::FunctionRef<absl::Status(uint64_t cells_read)> keep_going);

}  // namespace shale

#endif  // SHALE_COMPACTION_REWRITER_H_
