#include "shale/region/region_core.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/filesystem/blocking.h"
#include "shale/region/host_layout.h"
#include "shale/region/region_metrics.h"
#include "shale/region/store_file_names.h"

namespace shale {
namespace {

void AddCounts(const RegionCounters& counters, RegionStats& stats) {
  stats.commits = counters.commits.value();
  stats.unlogged_commits = counters.unlogged_commits.value();
  stats.cells_written = counters.cells_written.value();
  stats.gets = counters.gets.value();
  stats.scans = counters.scans.value();
  stats.flush_micros = counters.flush_micros.Snapshot();
  stats.compaction_micros = counters.compaction_micros.Snapshot();
  stats.flush_failures = counters.flush_failures.value();
  stats.flushed_bytes = counters.flushed_bytes.value();
  stats.compaction_failures = counters.compaction_failures.value();
  stats.compaction_input_bytes = counters.compaction_input_bytes.value();
  stats.compaction_output_bytes = counters.compaction_output_bytes.value();
}

}  // namespace

absl::StatusOr<std::unique_ptr<RegionCore>> RegionCore::Open(
    const RegionContext& context, const RegionOptions& options,
    const RegionReplay& replay) {
  SHALE_ASSIGN_OR_RETURN(
      std::unique_ptr<ManifestStore> manifest_store,
      ManifestStore::Open(context.environment.files, context.token,
                          context.environment.clock,
                          ManifestName(context.directory)));
  const Manifest manifest = manifest_store->current();
  auto core =
      std::unique_ptr<RegionCore>(new RegionCore(context, options, manifest));
  WriteNumber last = manifest.high_water;
  SHALE_RETURN_IF_ERROR(core->OpenFiles(manifest, last));
  SHALE_ASSIGN_OR_RETURN(
      const ReplayedCells replayed,
      InsertReplay(replay, manifest, *core->stores_->view()));
  last = std::max(last, replayed.last_number);
  SHALE_RETURN_IF_ERROR(core->mvcc_->AdvanceTo(last));
  if (context.wal != nullptr) {
    SHALE_RETURN_IF_ERROR(core->StartWriter(context, std::move(manifest_store),
                                            replayed, replay.nonces));
  }
  core->metrics_.emplace(context.environment.metrics.Collect(
      [core = core.get()](std::vector<MetricSample>& samples) {
        AddRegionMetrics(core->schema_.name, core->Stats(),
                         core->health_.health(), samples);
      }));
  return core;
}

RegionCore::RegionCore(const RegionContext& context,
                       const RegionOptions& options, const Manifest& manifest)
    : options_(options),
      schema_(manifest.schema()),
      flushed_at_open_(manifest.flushed()),
      clock_(context.environment.clock),
      log_(context.environment.log),
      remover_(context.environment.files, context.token, log_),
      files_{context.environment.files, context.token, context.directory,
             context.cache, &remover_},
      health_(clock_),
      mvcc_(context.components.mvcc(MvccOptions{.owner = manifest.name},
                                    clock_)) {}

RegionCore::~RegionCore() {
  const absl::Status closed =
      Close();  // Whoever wants to know calls it before.
  if (on_destroy_) on_destroy_(closed.ok());
}

absl::Status RegionCore::OpenFiles(const Manifest& manifest,
                                   WriteNumber& last) {
  SHALE_ASSIGN_OR_RETURN(std::vector<StoreFiles> files,
                         OpenStoreFiles(files_, manifest));
  for (const StoreFiles& of_family : files) {
    for (const std::shared_ptr<StoreFile>& file : of_family) {
      last = std::max(last, file->reader().info().max_number);
    }
  }
  stores_ = std::make_unique<RegionStores>(std::move(files));
  reader_ = std::make_unique<RegionReader>(schema_, *stores_, *mvcc_, clock_);
  return absl::OkStatus();
}

absl::Status RegionCore::StartWriter(const RegionContext& context,
                                     std::unique_ptr<ManifestStore> manifest,
                                     const ReplayedCells& replayed,
                                     const std::vector<AppliedNonce>& nonces) {
  const Manifest before = manifest->current();
  writer_ = std::make_unique<RegionWriter>(
      RegionWriterServices{
          schema_, options_, files_, clock_, context.environment.executor,
          context.environment.background, context.environment.readers,
          context.environment.metrics, context.environment.log,
          context.trust_wall_clock, gate_, health_, *context.wal, *mvcc_,
          *stores_, *reader_, context.names, *context.reserve, counters_},
      context.components.commit_sequencer(clock_, context.environment.executor),
      context.components.increment(), std::move(manifest));
  SHALE_RETURN_IF_ERROR(writer_->Start(replayed, nonces));
  stuck_writes_ = std::make_unique<StuckWriteWatchdog>(
      *mvcc_, clock_, context.environment.executor, log_);
  return RemoveOrphans(before);
}

absl::Status RegionCore::RemoveOrphans(const Manifest& manifest) {
  absl::flat_hash_set<std::string> live;
  for (const ManifestFamily& family : manifest.families) {
    for (const ManifestFile& file : family.files) live.insert(file.name);
  }
  SHALE_ASSIGN_OR_RETURN(const std::vector<FileListing::Entry> entries,
                         ListFiles(files_.files, files_.directory));
  for (const FileListing::Entry& entry : entries) {
    absl::string_view name = entry.name;
    if (!absl::ConsumePrefix(&name, files_.directory) || live.contains(name)) {
      continue;
    }
    if (!StoreFileNames::EpochOf(name).has_value()) {
      log_.Log(Severity::kWarning, schema_.name,
               absl::StrCat(entry.name, " is no store file, and left alone"));
      continue;
    }
    const absl::Status removed =
        RemoveFile(files_.files, entry.name, files_.token);
    if (!removed.ok()) {
      log_.Log(Severity::kWarning, schema_.name,
               absl::StrCat("an orphan stays: ", removed.message()));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<RegionWriter*> RegionCore::writer() {
  if (writer_ != nullptr) return writer_.get();
  return absl::FailedPreconditionError(
      absl::StrCat("region ", schema_.name, " is open for inspection only"));
}

absl::Status RegionCore::Verify(
    const std::function<void(uint64_t, uint64_t)>& progress) const {
  const std::shared_ptr<const RegionView> view = stores_->view();
  uint64_t total = 0;
  for (const StoreView& store : *view) {
    for (const auto& file : store.files) total += file->entry().bytes;
  }
  uint64_t done = 0;
  for (const StoreView& store : *view) {
    for (const auto& file : store.files) {
      SHALE_RETURN_IF_ERROR(file->reader().Verify([&](uint64_t of_file) {
        if (progress) progress(done + of_file, total);
      }));
      done += file->entry().bytes;
    }
  }
  if (progress) progress(total, total);
  return absl::OkStatus();
}

absl::Status RegionCore::Close() {
  absl::MutexLock lock(&close_mu_);
  if (!gate_.Close()) return close_status_;
  metrics_.reset();
  if (writer_ != nullptr) close_status_ = writer_->Close();
  remover_.Drain();
  health_.Close();
  return close_status_;
}

RegionStats RegionCore::Stats() const {
  RegionStats stats;
  const std::shared_ptr<const RegionView> view = stores_->view();
  for (size_t id = 0; id < view->size(); ++id) {
    const StoreView& store = (*view)[id];
    FamilyStats& family = stats.families.emplace_back();
    family.name = schema_.families[id].name;
    for (const auto& segment : {store.active, store.frozen}) {
      if (segment == nullptr) continue;
      family.memstore_bytes += segment->size().data_bytes;
      family.memstore_cells += segment->size().cells;
    }
    for (const std::shared_ptr<StoreFile>& file : store.files) {
      ++family.files;
      family.file_bytes += file->entry().bytes;
      family.file_cells += file->reader().info().cells;
    }
  }
  AddCounts(counters_, stats);
  stats.read_point = mvcc_->ReadPoint();
  stats.write_point = mvcc_->WritePoint();
  stats.mvcc = mvcc_->stats();
  stats.variants.completion = mvcc_->name();
  stats.flushed = writer_ != nullptr ? writer_->flushed() : flushed_at_open_;
  if (writer_ != nullptr) {
    stats.row_locks = writer_->row_lock_stats();
    stats.increment_barrier_waits = writer_->increment_barrier_waits();
    stats.sequencer = writer_->sequencer_stats();
    stats.variants.commit_sequencer = writer_->sequencer_name();
    stats.variants.increment = writer_->increment_name();
  }
  return stats;
}

}  // namespace shale
