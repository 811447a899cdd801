#include "shale/region/testing/model_runner.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <thread>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/notification.h"
#include "absl/types/span.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/locking/row_commit_sequencer.h"
#include "shale/region/testing/naive_region.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

using Kind = ModelStep::Kind;

// How many results of an open scanner are read at once.
constexpr int kResultsAtOpen = 1;
// A tick of any row commit sequencer. It passes before each write, on the
// monotonic clock alone, so that none waits for a clock that only this thread
// moves; and while one takes long, as an append to what its own batch has put
// may start over after its tick and needs another.
constexpr absl::Duration kTick = absl::Milliseconds(1);

std::string CodesText(const std::vector<absl::StatusCode>& codes) {
  std::string text;
  for (const absl::StatusCode code : codes) {
    absl::StrAppend(&text, absl::StatusCodeToString(code), " ");
  }
  return text;
}

// Codes, then whether a check held, then the new cells.
std::string AnswerText(const std::vector<absl::StatusCode>& codes, bool matched,
                       const std::vector<RowResult>& rows) {
  std::string text = CodesText(codes);
  if (!matched) absl::StrAppend(&text, "no match ");
  for (const RowResult& row : rows) absl::StrAppend(&text, Text(row), ";");
  return text;
}

std::string ErrorText(const absl::Status& status) {
  return status.ok() ? "" : status.ToString();
}

// One line for each result.
std::string ResultsText(const std::vector<RowResult>& results) {
  std::string text;
  for (const RowResult& result : results) {
    absl::StrAppend(&text, Text(result), "\n");
  }
  return text;
}

// Tells what a batch was assigned; its answer may tell more, as its own deletes
// may raise it.
class RecordingSequencer final : public RowCommitSequencer {
 public:
  RecordingSequencer(std::unique_ptr<RowCommitSequencer> base,
                     std::atomic<Timestamp>& last)
      : base_(std::move(base)), last_(last) {}

  bool needs_exclusive_locks() const override {
    return base_->needs_exclusive_locks();
  }
  bool waits() const override { return base_->waits(); }
  void Assign(absl::Span<const absl::string_view> rows,
              absl::AnyInvocable<void(Timestamp)> done) override {
    base_->Assign(rows, [this, done = std::move(done)](Timestamp t) mutable {
      last_ = t;
      done(t);
    });
  }
  void Raise(absl::Span<const absl::string_view> rows,
             Timestamp timestamp) override {
    base_->Raise(rows, timestamp);
  }
  Timestamp floor() const override { return base_->floor(); }
  void RaiseFloor(Timestamp floor) override { base_->RaiseFloor(floor); }
  RowCommitSequencerStats stats() const override { return base_->stats(); }
  absl::string_view name() const override { return base_->name(); }

 private:
  const std::unique_ptr<RowCommitSequencer> base_;
  std::atomic<Timestamp>& last_;
};

class RegionRunner {
 public:
  RegionRunner(const ModelScript& script, const RegionComponents& components)
      : script_(script),
        clock_(script.start),
        executor_(1, clock_),
        memory_(executor_),
        host_(memory_, script.schema, script.options, WithVariants(components),
              clock_) {}

  ModelRun Run() {
    ModelRun run;
    absl::Status opened = host_.Open();
    for (const ModelStep& step : script_.steps) {
      assigned_ = 0;
      // A region that doesn't open answers every step with the error.
      run.answers.push_back(opened.ok() ? Do(step, opened) : opened.ToString());
      run.commit_timestamps.push_back(assigned_);
    }
    scanner_.reset();
    return run;
  }

 private:
  HostOptions WithVariants(const RegionComponents& components) {
    HostOptions options;
    options.components = components;
    options.components.commit_sequencer =
        [this, components](Clock& clock, Executor& executor) {
          return std::make_unique<RecordingSequencer>(
              components.commit_sequencer(clock, executor), assigned_);
        };
    options.wal.segment_bytes = 64 << 10;
    options.wal.syncer_threads = 1;
    return options;
  }

  std::string Do(const ModelStep& step, absl::Status& opened) {
    switch (step.kind) {
      case Kind::kApply:
        return Apply(step.batch);
      case Kind::kGet:
        return ReadText(host_.region(), step.get.row, step.get.options);
      case Kind::kScan:
        return ScanText(host_.region(), step.scan);
      case Kind::kOpenScanner:
        return OpenScanner(step.scan);
      case Kind::kFinishScanner:
        ReadOn(-1);
        scanner_.reset();
        return std::exchange(scanned_, "");
      case Kind::kAdvance:
        clock_.Advance(step.advance);
        return "";
      case Kind::kFlush:
        return ErrorText(host_.region().Flush().status());
      case Kind::kCompact:
        return ErrorText(host_.region().Compact().status());
      case Kind::kReopen:
        DropScanner();
        opened = host_.Close();
        if (opened.ok()) opened = host_.Open();
        return ErrorText(opened);
      case Kind::kDropScanner:
        DropScanner();
        return "";
      case Kind::kCrash:
        return Crash(step.batch, opened);
    }
    return "";
  }

  std::string Apply(const MutationBatch& batch) {
    clock_.AdvanceMonotonic(kTick);
    ApplyResult result;
    absl::Notification answered;
    host_.region().ApplyAsync(batch, [&](ApplyResult answer) {
      result = std::move(answer);
      answered.Notify();
    });
    while (!answered.WaitForNotificationWithTimeout(absl::Milliseconds(20))) {
      clock_.AdvanceMonotonic(kTick);
    }
    std::vector<absl::StatusCode> codes;
    for (const absl::Status& status : result.statuses) {
      codes.push_back(status.code());
    }
    // By the increment `narrow` it may be answered before.
    while (host_.region().Stats().read_point < result.range.last) {
      std::this_thread::yield();
    }
    return AnswerText(codes, result.matched, result.rows);
  }

  std::string OpenScanner(const Scan& scan) {
    DropScanner();
    absl::StatusOr<std::unique_ptr<RegionScanner>> scanner =
        host_.region().NewScanner(scan);
    if (!scanner.ok()) return scanner.status().ToString();
    scanner_ = *std::move(scanner);
    ReadOn(kResultsAtOpen);
    return "";
  }

  // Reads `results` more; all if that is negative.
  void ReadOn(int results) {
    while (scanner_ != nullptr && results-- != 0) {
      const absl::StatusOr<std::optional<RowResult>> row = scanner_->Next();
      if (!row.ok()) absl::StrAppend(&scanned_, row.status().ToString());
      if (!row.ok() || !row->has_value()) return;
      absl::StrAppend(&scanned_, Text(**row), "\n");
    }
  }

  void DropScanner() {
    scanner_.reset();
    scanned_.clear();
  }

  std::string Crash(const MutationBatch& batch, absl::Status& opened) {
    DropScanner();
    std::string answer = Apply(batch);
    memory_.Crash(++crashes_);
    host_.Close().IgnoreError();  // Its files are gone.
    opened = host_.Open();
    return absl::StrCat(answer, ErrorText(opened));
  }

  const ModelScript& script_;
  std::atomic<Timestamp> assigned_ = 0;  // To the batch of the last step.
  ManualClock clock_;
  ThreadPoolExecutor executor_;
  MemoryFileSystem memory_;
  TestHost host_;
  std::unique_ptr<RegionScanner> scanner_;
  std::string scanned_;
  uint64_t crashes_ = 0;
};

class TwinRunner {
 public:
  explicit TwinRunner(const ModelScript& script)
      : script_(script),
        now_(absl::ToUnixMicros(script.start)),
        twin_(script.schema, script.options) {}

  ModelRun Run(const std::vector<Timestamp>& commit_timestamps) {
    ModelRun run;
    run.commit_timestamps = commit_timestamps;
    for (size_t i = 0; i < script_.steps.size(); ++i) {
      run.answers.push_back(Do(script_.steps[i], commit_timestamps[i]));
    }
    return run;
  }

 private:
  std::string Do(const ModelStep& step, Timestamp commit_timestamp) {
    switch (step.kind) {
      case Kind::kApply:
        return Apply(step.batch, commit_timestamp);
      case Kind::kGet:
        return Text(twin_.ReadRow(step.get, now_));
      case Kind::kScan:
        return ResultsText(twin_.ScanRows(step.scan, now_));
      case Kind::kOpenScanner:
        // All of it belongs to this moment.
        scanned_ = ResultsText(twin_.ScanRows(step.scan, now_));
        pinned_ = twin_.last();
        return "";
      case Kind::kFinishScanner:
        pinned_.reset();
        return std::exchange(scanned_, "");
      case Kind::kAdvance:
        now_ += absl::ToInt64Microseconds(step.advance);
        return "";
      case Kind::kFlush:
        twin_.Flush(SmallestPinned(), now_);
        return "";
      case Kind::kCompact:
        twin_.Compact(SmallestPinned(), now_);
        return "";
      case Kind::kReopen:
        DropScanner();
        twin_.Flush(SmallestPinned(), now_);
        return "";
      case Kind::kDropScanner:
        DropScanner();
        return "";
      case Kind::kCrash:
        DropScanner();
        return Apply(step.batch, commit_timestamp);
    }
    return "";
  }

  std::string Apply(const MutationBatch& batch, Timestamp commit_timestamp) {
    const NaiveAnswer answer = twin_.Apply(batch, commit_timestamp, now_);
    return AnswerText(answer.codes, answer.matched, answer.rows);
  }

  WriteNumber SmallestPinned() const { return pinned_.value_or(twin_.last()); }

  void DropScanner() {
    pinned_.reset();
    scanned_.clear();
  }

  const ModelScript& script_;
  Timestamp now_;
  NaiveRegion twin_;
  std::optional<WriteNumber> pinned_;
  std::string scanned_;
};

}  // namespace

ModelRun RunOnRegion(const ModelScript& script,
                     const RegionComponents& components) {
  return RegionRunner(script, components).Run();
}

ModelRun RunOnTwin(const ModelScript& script,
                   const std::vector<Timestamp>& commit_timestamps) {
  return TwinRunner(script).Run(commit_timestamps);
}

std::optional<size_t> FirstDifference(const ModelRun& a, const ModelRun& b) {
  for (size_t i = 0; i < a.answers.size(); ++i) {
    if (a.answers[i] != b.answers[i] ||
        a.commit_timestamps[i] != b.commit_timestamps[i]) {
      return i;
    }
  }
  return std::nullopt;
}

std::vector<size_t> ShrinkIndices(
    size_t count, int attempts,
    absl::FunctionRef<bool(const std::vector<size_t>&)> fails) {
  std::vector<size_t> kept(count);
  std::iota(kept.begin(), kept.end(), size_t{0});
  bool smaller = false;
  for (size_t piece = count / 2; piece > 0 && attempts > 0;
       piece = piece == 1 && smaller ? 1 : piece / 2) {
    smaller = false;
    for (size_t from = 0; from < kept.size() && attempts > 0;) {
      std::vector<size_t> rest = kept;
      rest.erase(rest.begin() + from,
                 rest.begin() + std::min(from + piece, rest.size()));
      --attempts;
      if (fails(rest)) {
        kept = std::move(rest);
        smaller = true;
      } else {
        from += piece;
      }
    }
  }
  return kept;
}

}  // namespace shale
