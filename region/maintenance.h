#ifndef SHALE_REGION_MAINTENANCE_H_
#define SHALE_REGION_MAINTENANCE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/clock.h"
#include "shale/base/log_sink.h"
#include "shale/compaction/rewriter.h"
#include "shale/locking/row_commit_sequencer.h"
#include "shale/mvcc/mvcc.h"
#include "shale/region/close_gate.h"
#include "shale/region/commit_pipeline.h"
#include "shale/region/health_monitor.h"
#include "shale/region/manifest_store.h"
#include "shale/region/nonce_registry.h"
#include "shale/region/purge_clock.h"
#include "shale/region/region_counters.h"
#include "shale/region/region_options.h"
#include "shale/region/region_stores.h"
#include "shale/region/space_reserve.h"
#include "shale/region/store_file.h"
#include "shale/region/store_file_names.h"
#include "shale/wal/wal.h"

namespace shale {

// What flush and compaction work on; all outlive them.
struct MaintenanceServices {
  const RegionSchema& schema;
  const RegionOptions& options;
  const Uuid& incarnation;
  Clock& clock;
  LogSink& log;
  CloseGate& gate;
  HealthMonitor& health;
  // Poisons the region and ends what waits in it.
  std::function<void(absl::Status)> poison;
  WriteAdmission& admission;
  Wal& wal;
  Mvcc& mvcc;
  RowCommitSequencer& sequencer;
  const NonceRegistry& nonces;
  PurgeClock& purge_clock;
  CommitPipeline& pipeline;
  RegionStores& stores;
  ManifestStore& manifest;
  const RegionFiles& files;
  StoreFileNames& names;
  SpaceReserve& reserve;
  RegionCounters& counters;
};

// A file written by flush or compaction, open for reading; null if every cell
// was dropped.
struct WrittenFile {
  std::shared_ptr<StoreFile> file;
  RewriteResult result;
};

// Rewrites `input`, cells of family `id`, into a new store file of the region
// and opens it. The manifest does not name it yet. An error of `keep_going`,
// asked now and then, ends it.
absl::StatusOr<WrittenFile> WriteStoreFile(
    const MaintenanceServices& services, size_t id, CellScanner& input,
    const RewriteView& view, absl::FunctionRef<absl::Status()> keep_going);

// Adds a marker to the region's log, under a write number of its own that is
// visible at once. Markers are for people and tools: one that finds no place in
// the log within a second, or another error, is told to the log sink, and
// nothing fails for it.
void AppendMarker(const MaintenanceServices& services, LogEntryType type,
                  absl::string_view payload);

}  // namespace shale

#endif  // SHALE_REGION_MAINTENANCE_H_
