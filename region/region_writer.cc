#include "shale/region/region_writer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"

namespace shale {

RegionWriter::RegionWriter(const RegionWriterServices& services,
                           std::unique_ptr<RowCommitSequencer> sequencer,
                           std::unique_ptr<ManifestStore> manifest)
    : s_(services),
      incarnation_(manifest->current().incarnation),
      sequencer_(std::move(sequencer)),
      manifest_(std::move(manifest)),
      names_(s_.files.token.epoch),
      locks_(RowLockOptions{}, s_.clock, s_.executor),
      admission_(s_.options.flush_bytes,
                 s_.options.flush_bytes * s_.options.blocking_multiplier,
                 s_.executor, [this] { FlushInBackground(); }),
      pipeline_({s_.schema, s_.options, incarnation_, s_.clock, s_.gate,
                 s_.health, admission_, s_.wal, s_.mvcc, locks_, *sequencer_,
                 s_.stores}),
      flusher_(maintenance()),
      compactor_(maintenance()) {}

RegionWriter::~RegionWriter() = default;

MaintenanceServices RegionWriter::maintenance() {
  return {s_.schema,  incarnation_, s_.clock, s_.log,      s_.health,
          admission_, s_.wal,       s_.mvcc,  *sequencer_, pipeline_,
          s_.stores,  *manifest_,   s_.files, names_};
}

absl::Status RegionWriter::Start(const ReplayedCells& replayed) {
  admission_.Charge(replayed.memory_bytes);
  pipeline_.AddInsertedBytes(replayed.memory_bytes);
  const Timestamp floor =
      std::max(manifest_->current().clock_floor, replayed.newest_timestamp);
  sequencer_->RaiseFloor(floor);
  s_.wal.AddListener(this);
  s_.health.OnLogHealth(s_.wal.health());
  // A commit of an earlier owner that is still on its way finds another version
  // from here on, so nothing that this manifest doesn't name can come back.
  SHALE_RETURN_IF_ERROR(manifest_->Update([&](Manifest& manifest) {
    manifest.high_water =
        std::max(manifest.high_water, s_.mvcc.WritePoint() + kNumbersAhead);
  }));
  AppendMarker(maintenance(), LogEntryType::kRegionOpen, "");
  return absl::OkStatus();
}

WriteNumber RegionWriter::flushed() const {
  const Manifest manifest = manifest_->current();
  WriteNumber flushed = kMaxWriteNumber;
  for (const ManifestFamily& family : manifest.families) {
    flushed = std::min(flushed, family.flushed);
  }
  return flushed;
}

void RegionWriter::OnDurable(LogPosition durable) {
  s_.mvcc.MarkDurable(durable);
}

void RegionWriter::OnHealth(const LogHealth& health) {
  s_.health.OnLogHealth(health);
  if (health.state != LogHealth::State::kPoisoned) return;
  admission_.Fail(s_.health.CheckWritable(s_.schema.name));
  pipeline_.OnPoisoned(health.cause);
}

void RegionWriter::FlushInBackground() {
  if (flush_scheduled_.exchange(true, std::memory_order_acq_rel)) return;
  if (!s_.gate.Enter()) return;
  s_.background.Schedule([this] {
    const absl::StatusOr<FlushResult> result = flusher_.Flush();
    if (!result.ok()) {
      s_.log.Log(Severity::kWarning, s_.schema.name,
                 absl::StrCat("background flush: ", result.status().message()));
    }
    flush_scheduled_.store(false, std::memory_order_release);
    // A write that came meanwhile found a flush scheduled. After a failure the
    // next write asks again.
    if (result.ok() && admission_.used() > s_.options.flush_bytes) {
      FlushInBackground();
    }
    s_.gate.Leave();
  });
}

absl::Status RegionWriter::Close() {
  absl::Status status = s_.health.CheckWritable(s_.schema.name);
  // A flush that failed before left its memstores frozen: they go first.
  for (int i = 0; status.ok() && i < 2; ++i) status = flusher_.Flush().status();
  if (status.ok()) {
    AppendMarker(maintenance(), LogEntryType::kRegionClose, "");
    // The marker took the last number; from here on there is none to lose.
    status = manifest_->Update([&](Manifest& manifest) {
      manifest.high_water = s_.mvcc.WritePoint();
      manifest.first_needed =
          std::max(manifest.first_needed, s_.wal.appended());
    });
  }
  if (status.ok()) s_.wal.ForgetRegion(incarnation_);
  s_.wal.RemoveListener(this);
  return status;
}

}  // namespace shale
