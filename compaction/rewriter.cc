#include "shale/compaction/rewriter.h"

#include <memory>
#include <utility>

#include "shale/base/status_macros.h"

namespace shale {
namespace {

// Cells between two questions whether to go on.
constexpr uint64_t kCellsPerQuestion = 1024;

bool IsKept(VersionResolver::Verdict verdict) {
  return verdict == VersionResolver::Verdict::kInclude ||
         verdict == VersionResolver::Verdict::kIncludeAndNextColumn;
}

absl::Status CopyKept(CellScanner& input, VersionResolver resolver,
                      MakeWriter make_writer,
                      absl::FunctionRef<absl::Status(uint64_t)> keep_going,
                      std::unique_ptr<StoreFileWriter>& writer,
                      RewriteResult& result) {
  SHALE_RETURN_IF_ERROR(input.Seek(""));
  while (const CellView* const cell = input.cell()) {
    if (result.cells_read++ % kCellsPerQuestion == 0) {
      SHALE_RETURN_IF_ERROR(keep_going(result.cells_read));
    }
    if (IsKept(resolver.Offer(*cell))) {
      if (writer == nullptr) {
        SHALE_ASSIGN_OR_RETURN(writer, make_writer());
      }
      SHALE_RETURN_IF_ERROR(writer->Add(*cell));
      ++result.cells_written;
    }
    SHALE_RETURN_IF_ERROR(input.Next());
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RewriteResult> Rewrite(
    CellScanner& input, const RetentionRules& rules, const RewriteView& view,
    MakeWriter make_writer,
    absl::FunctionRef<absl::Status(uint64_t cells_read)> keep_going) {
  RewriteResult result;
  std::unique_ptr<StoreFileWriter> writer;
  absl::Status status = CopyKept(input, VersionResolver(rules, view),
                                 make_writer, keep_going, writer, result);
  if (writer == nullptr) {
    SHALE_RETURN_IF_ERROR(status);
    return result;
  }
  if (status.ok()) {
    absl::StatusOr<StoreFileInfo> info = writer->Finish();
    if (info.ok()) {
      result.info = *std::move(info);
      return result;
    }
    status = info.status();
  }
  writer->Abandon();
  return status;
}

}  // namespace shale
