#include "shale/region/compactor.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/cell/merging_scanner.h"

namespace shale {

absl::StatusOr<CompactionResult> Compactor::Compact() {
  const absl::Duration begin = s_.clock.Monotonic();
  absl::StatusOr<CompactionResult> result = CompactAll();
  if (!result.ok()) {
    s_.counters.compaction_failures.Increment();
  } else if (result->compacted) {
    s_.counters.compaction_micros.Record(
        absl::ToInt64Microseconds(s_.clock.Monotonic() - begin));
    s_.counters.compaction_input_bytes.Increment(
        static_cast<int64_t>(result->input_bytes));
    s_.counters.compaction_output_bytes.Increment(
        static_cast<int64_t>(result->output_bytes));
  }
  return result;
}

absl::StatusOr<CompactionResult> Compactor::CompactAll() {
  absl::MutexLock lock(&mu_);
  CompactionResult total;
  for (size_t id = 0; id < s_.schema.families.size(); ++id) {
    SHALE_RETURN_IF_ERROR(s_.health.CheckWritable(s_.schema.name));
    if (absl::Status status = CompactFamily(id, total); !status.ok()) {
      return Annotate(status,
                      absl::StrCat("compaction of region ", s_.schema.name,
                                   ", family ", s_.schema.families[id].name));
    }
  }
  return total;
}

absl::Status Compactor::CompactFamily(size_t id, CompactionResult& total) {
  const std::vector<std::shared_ptr<StoreFile>> inputs =
      (*s_.stores.view())[id].files;
  if (inputs.empty()) return absl::OkStatus();
  std::vector<std::unique_ptr<CellScanner>> scanners;
  for (const std::shared_ptr<StoreFile>& file : inputs) {
    scanners.push_back(
        file->NewScanner(StoreFileScanOptions{CacheFill::kNoFill}));
    total.input_bytes += file->entry().bytes;
  }
  const std::unique_ptr<CellScanner> merged =
      NewMergingScanner(std::move(scanners));
  RewriteView view;
  view.smallest_pinned = s_.mvcc.SmallestPinned();
  view.now = s_.purge_clock.Now();
  view.scope = RewriteScope::kFromOldest;
  const auto keep_going = [this] {
    if (s_.gate.closed()) return absl::CancelledError("the region is closing");
    return s_.health.CheckWritable(s_.schema.name);
  };
  SHALE_ASSIGN_OR_RETURN(const WrittenFile output,
                         WriteStoreFile(s_, id, *merged, view, keep_going));

  const absl::Status committed = s_.manifest.Update([&](Manifest& manifest) {
    std::vector<ManifestFile>& files = manifest.families[id].files;
    files.resize(files.size() - inputs.size());  // The oldest are at the end.
    if (output.file != nullptr) files.push_back(output.file->entry());
    manifest.believed_time = s_.purge_clock.NewestBelieved();
  });
  if (absl::IsUnknown(committed) || absl::IsAborted(committed)) {
    s_.poison(committed);
    return committed;
  }
  if (!committed.ok()) {
    if (output.file != nullptr) output.file->MarkObsolete();
    return committed;
  }
  s_.stores.ReplaceOldest(id, inputs, output.file);
  AppendMarker(s_, LogEntryType::kCompaction,
               output.file == nullptr ? "" : output.file->entry().name);
  total.compacted = true;
  total.input_files += inputs.size();
  total.output_files += output.file != nullptr ? 1 : 0;
  total.output_bytes += output.result.info.file_bytes;
  total.dropped_cells += output.result.cells_read - output.result.cells_written;
  return absl::OkStatus();
}

}  // namespace shale
