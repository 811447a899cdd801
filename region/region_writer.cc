#include "shale/region/region_writer.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"

namespace shale {
namespace {

// How long after a failed flush the next is tried.
constexpr absl::Duration kFlushRetryPause = absl::Seconds(1);
// How long after one that was needed and found nothing to flush.
constexpr absl::Duration kNothingToFlushPause = absl::Milliseconds(10);

// For a manifest that doesn't say, what the region's files do.
Timestamp BelievedTime(const Manifest& manifest, const RegionView& view) {
  Timestamp newest = manifest.believed_time;
  if (newest != 0) return newest;
  for (const StoreView& store : view) {
    for (const std::shared_ptr<StoreFile>& file : store.files) {
      newest = std::max(newest, file->reader().info().created_at);
    }
  }
  return newest;
}

Gauge& HeldSeconds(MetricsRegistry& metrics, const std::string& region) {
  return metrics.GetGauge("shale_region_purge_clock_held_seconds",
                          "How far ahead the wall clock reads while nothing "
                          "expires by it; 0 if it is believed.",
                          {{"region", region}});
}

}  // namespace

RegionWriter::RegionWriter(const RegionWriterServices& services,
                           std::unique_ptr<RowCommitSequencer> sequencer,
                           std::unique_ptr<IncrementProtocol> increment,
                           std::unique_ptr<ManifestStore> manifest)
    : s_(services),
      incarnation_(manifest->current().incarnation),
      sequencer_(std::move(sequencer)),
      increment_(std::move(increment)),
      manifest_(std::move(manifest)),
      locks_(RowLockOptions{}, s_.clock, s_.executor),
      admission_(s_.options.flush_bytes,
                 s_.options.flush_bytes * s_.options.blocking_multiplier,
                 s_.clock, s_.executor, [this] { FlushInBackground(); }),
      nonces_(s_.options.nonce_grace, s_.clock, s_.executor),
      purge_clock_(BelievedTime(manifest_->current(), *s_.stores.view()),
                   s_.trust_wall_clock, s_.clock,
                   HeldSeconds(s_.metrics, s_.schema.name), s_.log,
                   s_.schema.name),
      pipeline_({s_.schema, s_.options, incarnation_, s_.clock, s_.executor,
                 s_.gate, s_.health, admission_, s_.wal, s_.mvcc, locks_,
                 *sequencer_, s_.stores, s_.reader, nonces_, *increment_,
                 s_.counters, s_.readers}),
      flusher_(maintenance()),
      compactor_(maintenance()),
      retry_(s_.executor, [this] {
        FlushUnlessClosed();
        return absl::InfiniteDuration();
      }) {}

RegionWriter::~RegionWriter() = default;

MaintenanceServices RegionWriter::maintenance() {
  return {.schema = s_.schema,
          .options = s_.options,
          .incarnation = incarnation_,
          .clock = s_.clock,
          .log = s_.log,
          .gate = s_.gate,
          .health = s_.health,
          .poison = [this](absl::Status cause) { Poison(std::move(cause)); },
          .admission = admission_,
          .wal = s_.wal,
          .mvcc = s_.mvcc,
          .sequencer = *sequencer_,
          .nonces = nonces_,
          .purge_clock = purge_clock_,
          .pipeline = pipeline_,
          .stores = s_.stores,
          .manifest = *manifest_,
          .files = s_.files,
          .names = s_.names,
          .reserve = s_.reserve,
          .counters = s_.counters};
}

absl::Status RegionWriter::Start(const ReplayedCells& replayed,
                                 const std::vector<AppliedNonce>& nonces) {
  const Timestamp now = purge_clock_.Now();
  for (const AppliedNonce& nonce : manifest_->current().nonces) {
    nonces_.Restore(nonce, now);
  }
  for (const AppliedNonce& nonce : nonces) nonces_.Restore(nonce, now);
  admission_.Charge(replayed.memory_bytes);
  pipeline_.AddInsertedBytes(replayed.memory_bytes);
  const Timestamp floor =
      std::max(manifest_->current().clock_floor, replayed.newest_timestamp);
  sequencer_->RaiseFloor(floor);
  // First of all: what follows may fail, and Close removes it.
  s_.wal.AddListener(this);
  s_.health.AdoptLogHealth([this] { return s_.wal.health(); });
  // A commit of an earlier owner that is still on its way finds another version
  // from here on, so nothing that this manifest doesn't name can come back.
  SHALE_RETURN_IF_ERROR(manifest_->Update([&](Manifest& manifest) {
    manifest.high_water =
        std::max(manifest.high_water, s_.mvcc.WritePoint() + kNumbersAhead);
    manifest.nonces = nonces_.Appended(kMaxWriteNumber);
    manifest.believed_time = purge_clock_.NewestBelieved();
  }));
  AppendMarker(maintenance(), LogEntryType::kRegionOpen, "");
  started_ = true;
  return absl::OkStatus();
}

void RegionWriter::OnDurable(LogPosition durable) {
  s_.mvcc.MarkDurable(durable);
}

void RegionWriter::OnHealth(const LogHealth& health) {
  if (health.state == LogHealth::State::kPoisoned) {
    Poison(health.cause);
  } else {
    s_.health.OnLogHealth(health);
  }
}

void RegionWriter::OnNewSegment() {
  if (s_.wal.MustFlush(incarnation_)) FlushUnlessClosed();
}

void RegionWriter::Poison(absl::Status cause) {
  s_.health.Poison(cause);
  admission_.Fail(s_.health.CheckWritable(s_.schema.name));
  // A log that goes on confirms what was appended; a poisoned one doesn't.
  if (s_.wal.health().state == LogHealth::State::kPoisoned) {
    pipeline_.OnPoisoned(cause);
  }
}

absl::StatusOr<FlushResult> RegionWriter::Flush() {
  absl::StatusOr<FlushResult> result = flusher_.Flush();
  if (!result.ok()) RetryFlush();
  return result;
}

void RegionWriter::RetryFlush() {
  if (s_.health.CheckWritable(s_.schema.name).ok()) {
    retry_.RingBy(s_.clock.Monotonic() + kFlushRetryPause);
  }
}

void RegionWriter::FlushInBackground() {
  if (flush_scheduled_.exchange(true, std::memory_order_acq_rel)) return;
  // Whoever asks is inside, perhaps in a region that closes and waits for it.
  s_.gate.EnterAgain();
  s_.background.Schedule([this] {
    const absl::StatusOr<FlushResult> result = flusher_.Flush();
    admission_.NoteFlush(result.status());
    flush_scheduled_.store(false, std::memory_order_release);
    // A write that came meanwhile found a flush scheduled.
    if (!result.ok()) {
      s_.log.Log(Severity::kWarning, s_.schema.name,
                 absl::StrCat("background flush: ", result.status().message()));
      RetryFlush();
    } else if (admission_.HasWaiters() ||
               admission_.used() > s_.options.flush_bytes) {
      // What takes up the room may be admitted and not inserted yet, and makes
      // no further request when it is.
      if (result->flushed) {
        FlushInBackground();
      } else {
        retry_.RingBy(s_.clock.Monotonic() + kNothingToFlushPause);
      }
    }
    s_.gate.Leave();
  });
}

void RegionWriter::FlushUnlessClosed() {
  if (!s_.gate.EnterUnlessShut()) return;
  FlushInBackground();
  s_.gate.Leave();
}

absl::Status RegionWriter::Close() {
  if (!started_) {
    // Its numbers aren't safe to use: nothing is flushed or logged.
    s_.wal.RemoveListener(this);
    return absl::FailedPreconditionError(
        absl::StrCat("region ", s_.schema.name, " never began to serve"));
  }
  absl::Status status = s_.health.CheckWritable(s_.schema.name);
  if (status.ok() && s_.health.health().state == HealthState::kStalled) {
    status = s_.health.Busy("closed without a flush");
  }
  if (status.ok()) status = flusher_.Flush().status();
  if (status.ok()) {
    AppendMarker(maintenance(), LogEntryType::kRegionClose, "");
    // The marker took the last number; from here on there is none to lose.
    status = manifest_->Update([&](Manifest& manifest) {
      manifest.high_water = s_.mvcc.WritePoint();
      manifest.first_needed = std::max(manifest.first_needed, s_.wal.durable());
      manifest.nonces = nonces_.Appended(kMaxWriteNumber);
      manifest.believed_time = purge_clock_.NewestBelieved();
    });
  }
  if (status.ok()) s_.wal.ForgetRegion(incarnation_);
  s_.wal.RemoveListener(this);
  return status;
}

}  // namespace shale
