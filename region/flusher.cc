#include "shale/region/flusher.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "shale/base/completion.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/filesystem/outcome.h"

namespace shale {
namespace {

// Every family is flushed together, so that a row whose cells skipped the log
// comes back whole or not at all.
constexpr uint64_t kAllFamilies = ~uint64_t{0};

bool HoldsCells(const RegionView& view) {
  return std::any_of(view.begin(), view.end(), [](const StoreView& store) {
    return !store.active->empty();
  });
}

std::string FileList(const std::vector<std::string>& files) {
  return absl::StrJoin(files, "\n");
}

}  // namespace

absl::StatusOr<FlushResult> Flusher::Flush() {
  int64_t freed_bytes = 0;
  const absl::Duration begin = s_.clock.Monotonic();
  absl::StatusOr<FlushResult> result = FlushAll(freed_bytes);
  if (!result.ok()) {
    s_.counters.flush_failures.Increment();
  } else if (result->flushed) {
    s_.counters.flush_micros.Record(
        absl::ToInt64Microseconds(s_.clock.Monotonic() - begin));
    s_.counters.flushed_bytes.Increment(static_cast<int64_t>(result->bytes));
  }
  // Carries on writes that waited for room, so no mutex is held.
  if (freed_bytes > 0) s_.admission.Release(freed_bytes);
  return result;
}

absl::StatusOr<FlushResult> Flusher::FlushAll(int64_t& freed_bytes) {
  absl::MutexLock lock(&mu_);
  SHALE_RETURN_IF_ERROR(s_.health.CheckWritable(s_.schema.name));
  FlushResult total;
  if (frozen_.has_value()) {  // An earlier flush failed.
    SHALE_RETURN_IF_ERROR(FlushFrozenWithMarkers(total, freed_bytes));
  }
  if (HoldsCells(*s_.stores.view())) {
    Freeze();
    SHALE_RETURN_IF_ERROR(FlushFrozenWithMarkers(total, freed_bytes));
  }
  return total;
}

absl::Status Flusher::FlushFrozenWithMarkers(FlushResult& total,
                                             int64_t& freed_bytes) {
  absl::StatusOr<FlushResult> flushed = FlushFrozen();
  if (LacksSpace(flushed.status()) && s_.reserve.Release()) {
    flushed = FlushFrozen();
  }
  if (!flushed.ok()) {
    AppendMarker(s_, LogEntryType::kFlushAbort, flushed.status().message());
    return Annotate(flushed.status(),
                    absl::StrCat("flush of region ", s_.schema.name));
  }
  s_.reserve.Renew();
  AppendMarker(s_, LogEntryType::kFlushCommit, FileList(flushed->files));
  freed_bytes += frozen_->bytes;
  frozen_.reset();
  total.flushed = true;
  total.cells += flushed->cells;
  total.bytes += flushed->bytes;
  total.files.insert(total.files.end(), flushed->files.begin(),
                     flushed->files.end());
  return absl::OkStatus();
}

void Flusher::Freeze() {
  AppendMarker(s_, LogEntryType::kFlushStart, "");
  absl::MutexLock updates(&s_.pipeline.updates_lock());
  s_.stores.Freeze();
  frozen_ = FrozenMemstores();
  frozen_->last = s_.mvcc.WritePoint();
  frozen_->position = s_.wal.StartFlush(s_.incarnation, kAllFamilies);
  frozen_->bytes = s_.pipeline.TakeInsertedBytes();
  frozen_->clock_floor = s_.sequencer.floor();
}

absl::StatusOr<FlushResult> Flusher::FlushFrozen() {
  const WriteNumber last = frozen_->last;
  SHALE_RETURN_IF_ERROR(s_.health.AwaitUnlessPoisoned(
      "the frozen writes are not confirmed",
      s_.clock.Monotonic() + s_.options.write_timeout,
      [this, last](absl::AnyInvocable<bool()> visible) {
        s_.mvcc.OnVisible(
            {last, last},
            [visible = std::move(visible)]() mutable { visible(); });
      }));
  std::vector<WrittenFile> outputs;
  absl::Status status = WriteFiles(outputs);
  if (status.ok()) status = SyncLog();
  // Whether the manifest may name the new files, now or later: then they stay,
  // and so does everything that the old one names.
  bool maybe_named = false;
  if (status.ok()) {
    status = Commit(outputs);
    maybe_named = absl::IsUnknown(status) || absl::IsAborted(status);
    if (maybe_named) s_.poison(status);
  }
  if (!status.ok()) {
    for (const WrittenFile& output : outputs) {
      if (!maybe_named && output.file != nullptr) output.file->MarkObsolete();
    }
    return status;
  }

  FlushResult result;
  result.flushed = true;
  std::vector<std::shared_ptr<StoreFile>> files;
  for (const WrittenFile& output : outputs) {
    files.push_back(output.file);
    if (output.file == nullptr) continue;
    result.cells += output.result.cells_written;
    result.bytes += output.result.info.file_bytes;
    result.files.push_back(output.file->entry().name);
  }
  s_.stores.CommitFlush(files);
  s_.wal.FinishFlush(s_.incarnation, kAllFamilies);
  return result;
}

absl::Status Flusher::WriteFiles(std::vector<WrittenFile>& outputs) {
  const std::shared_ptr<const RegionView> view = s_.stores.view();
  RewriteView rewrite;
  rewrite.smallest_pinned = s_.mvcc.SmallestPinned();
  rewrite.now = s_.purge_clock.Now();
  rewrite.scope = RewriteScope::kRun;
  for (size_t id = 0; id < view->size(); ++id) {
    const std::unique_ptr<CellScanner> cells = (*view)[id].frozen->NewScanner();
    SHALE_ASSIGN_OR_RETURN(WrittenFile output,
                           WriteStoreFile(s_, id, *cells, rewrite, [this] {
                             return s_.health.CheckWritable(s_.schema.name);
                           }));
    outputs.push_back(std::move(output));
  }
  return absl::OkStatus();
}

absl::Status Flusher::SyncLog() {
  Waiter<absl::Status> synced;
  s_.wal.Sync(frozen_->position, SyncLevel::kData, synced.callback());
  const std::optional<absl::Status> status = synced.WaitUntil(
      s_.clock, s_.clock.Monotonic() + s_.options.write_timeout);
  return status.has_value() ? *status : s_.health.Busy("the log is not synced");
}

absl::Status Flusher::Commit(const std::vector<WrittenFile>& outputs) {
  const FrozenMemstores frozen = *frozen_;
  return s_.manifest.Update([&](Manifest& manifest) {
    for (size_t id = 0; id < outputs.size(); ++id) {
      ManifestFamily& family = manifest.families[id];
      family.flushed = std::max(family.flushed, frozen.last);
      if (outputs[id].file == nullptr) continue;
      family.files.insert(family.files.begin(), outputs[id].file->entry());
    }
    manifest.high_water =
        std::max(manifest.high_water, s_.mvcc.WritePoint() + kNumbersAhead);
    manifest.first_needed = std::max(manifest.first_needed, frozen.position);
    manifest.clock_floor = std::max(manifest.clock_floor, frozen.clock_floor);
    // The log need not keep them from here on.
    manifest.nonces = s_.nonces.Appended(frozen.last);
    manifest.believed_time = s_.purge_clock.NewestBelieved();
  });
}

}  // namespace shale
