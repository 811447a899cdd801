#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/random.h"
#include "shale/cell/cell.h"
#include "shale/region/testing/model_script.h"

namespace shale {
namespace {

using Kind = ModelStep::Kind;

// The column with the counters; others hold them rarely.
constexpr char kCounter[] = "n";
constexpr size_t kMaxCellBytes = 4000;

// One way in which a mutation can be bad; each is refused for its own reason.
enum class Defect {
  kNoRow,
  kLongRow,
  kRowBelow,
  kRowAbove,
  kNoEdit,
  kUnknownFamily,
  kLongQualifier,
  kLargeCell,
  kNegativeTimestamp,
  kDeleteOfLatestVersion,
  kCount,
};

class ScriptMaker {
 public:
  ScriptMaker(uint64_t seed, const ModelScriptOptions& options)
      : random_(seed), options_(options) {}

  ModelScript Make() {
    script_.options.max_cell_bytes = kMaxCellBytes;
    script_.start = absl::FromUnixMicros(1000);
    now_ = 1000;
    MakeSchema();
    // What skips the log is lost by a crash, so it is one or the other.
    crashes_ = random_.OneIn(2);
    for (size_t i = 0; i < options_.steps; ++i) AddStep();
    return std::move(script_);
  }

 private:
  template <typename T>
  T OneOf(std::initializer_list<T> values) {
    return values.begin()[random_.Uniform(values.size())];
  }

  void MakeSchema() {
    script_.schema.name = "r";
    if (random_.OneIn(2)) script_.schema.start_row = "a";
    if (random_.OneIn(2)) script_.schema.end_row = "y";
    const DeleteRule rules[] = {DeleteRule::kSequence, DeleteRule::kTimestamp};
    for (const char* name : {"f", "e", "g"}) {
      ColumnFamilyOptions family;
      family.name = name;
      RetentionRules& retention = family.retention;
      retention.max_versions = OneOf({1, 1, 2, 3});
      retention.ttl = OneOf({absl::InfiniteDuration(), absl::Microseconds(8),
                             absl::Microseconds(40)});
      if (options_.min_versions && retention.ttl != absl::InfiniteDuration()) {
        retention.min_versions =
            std::min(OneOf({0, 0, 1, 2}), retention.max_versions);
      }
      retention.delete_rule =
          options_.delete_rule.value_or(rules[random_.Uniform(2)]);
      family.block_bytes = OneOf<size_t>({1, 100, 64 << 10});
      family.bloom =
          OneOf({BloomKind::kNone, BloomKind::kRow, BloomKind::kRowColumn});
      const Compression compression =
          OneOf({Compression::kNone, Compression::kLz4, Compression::kZstd,
                 Compression::kSnappy});
      if (IsAvailable(compression)) family.compression = compression;
      script_.schema.families.push_back(family);
      if (random_.OneIn(2)) break;
    }
  }

  void AddStep() {
    const uint64_t draw = random_.Uniform(1000);
    if (draw < 560) {
      Add(Kind::kApply).batch = MakeBatch();
    } else if (draw < 780) {
      Get& get = Add(Kind::kGet).get;
      get.row = MakeRow();
      get.options = MakeReadOptions();
    } else if (draw < 820) {
      Add(Kind::kScan).scan = MakeScan();
    } else if (draw < 835) {
      Scan& scan = Add(Kind::kOpenScanner).scan;
      scan = MakeScan();
      // Uncommitted reads see later writes, and so do not keep to one moment.
      scan.options.isolation = IsolationLevel::kReadCommitted;
    } else if (draw < 850) {
      Add(Kind::kFinishScanner);
    } else if (draw < 940) {
      Advance(1 + random_.Uniform(3));
    } else if (draw < 975) {
      Add(Kind::kFlush);
    } else if (draw < 992) {
      Add(Kind::kCompact);
    } else {
      // So that no timestamp that a sequencer made ahead of the clock is ahead
      // of it still.
      Advance(20);
      if (crashes_ && random_.OneIn(2)) {
        // A put that nothing refuses: its sync takes along what was written
        // before, of which the crash would else keep anything.
        ModelStep& step = Add(Kind::kCrash);
        step.batch.mutations.push_back(RowMutation(MakeRow()).Put(
            script_.schema.families[0].name, "p", "synced"));
        step.batch.durability = Durability::kSyncWal;
      } else {
        Add(Kind::kReopen);
      }
    }
  }

  ModelStep& Add(Kind kind) {
    ModelStep& step = script_.steps.emplace_back();
    step.kind = kind;
    return step;
  }

  void Advance(int64_t microseconds) {
    now_ += microseconds;
    Add(Kind::kAdvance).advance = absl::Microseconds(microseconds);
  }

  std::string MakeRow() {
    return OneOf<std::string>(
        {"a", "b", std::string("b\0", 2), std::string("b\0\xff", 3), "x"});
  }
  std::string MakeQualifier() {
    return OneOf<std::string>({"", kCounter, "p", "q"});
  }
  std::string MakeFamily() {
    return script_.schema
        .families[random_.Uniform(script_.schema.families.size())]
        .name;
  }
  Timestamp MakeExplicitTimestamp() {
    return now_ - 10 + static_cast<Timestamp>(random_.Uniform(14));
  }
  Timestamp MakeTimestamp() {
    return random_.OneIn(3) ? kLatestTimestamp : MakeExplicitTimestamp();
  }
  std::string MakeValue() {
    if (random_.OneIn(20)) return "";
    if (random_.OneIn(20)) return std::string(random_.Uniform(2000), 'x');
    return absl::StrCat("v", ++values_);
  }

  MutationBatch MakeBatch() {
    MutationBatch batch;
    const uint64_t mutations = random_.OneIn(2) ? 1 : 1 + random_.Uniform(4);
    for (uint64_t i = 0; i < mutations; ++i) {
      batch.mutations.push_back(random_.OneIn(40) ? MakeBadMutation()
                                                  : MakeMutation());
    }
    batch.atomic = random_.OneIn(4);
    batch.want_results = random_.OneIn(2);
    if (batch.mutations.size() == 1 && random_.OneIn(3)) {
      batch.check = MakeCheck(batch.mutations.front().row());
    }
    batch.durability =
        OneOf({Durability::kAsyncWal, Durability::kAsyncWal,
               Durability::kAsyncWal, Durability::kAsyncWal,
               crashes_ ? Durability::kAsyncWal : Durability::kSkipWal,
               crashes_ ? Durability::kAsyncWal : Durability::kSkipWal,
               Durability::kSyncWal, Durability::kFsyncWal});
    return batch;
  }

  RowCheck MakeCheck(const std::string& row) {
    RowCheck check;
    check.row = row;
    for (uint64_t n = 1 + random_.Uniform(2); n > 0; --n) {
      ColumnCondition& condition = check.conditions.emplace_back();
      condition.family = MakeFamily();
      condition.qualifier = MakeQualifier();
      condition.comparison = static_cast<Comparison>(random_.Uniform(7));
      condition.value = MakeValue();
      condition.time_range = MakeOldRange();
    }
    return check;
  }

  // Of what a check or an update looks at; mostly all.
  TimeRange MakeOldRange() {
    if (!random_.OneIn(4)) return {};
    const Timestamp min = std::max<Timestamp>(MakeExplicitTimestamp(), 0);
    return {min, min + static_cast<Timestamp>(random_.Uniform(12))};
  }

  RowMutation MakeMutation() {
    RowMutation mutation(MakeRow());
    const uint64_t edits = random_.OneIn(2) ? 1 : 1 + random_.Uniform(3);
    for (uint64_t i = 0; i < edits; ++i) AddEdit(mutation);
    return mutation;
  }

  void AddEdit(RowMutation& mutation) {
    // In statements of their own: arguments are evaluated in any order.
    const std::string family = MakeFamily();
    const std::string qualifier = MakeQualifier();
    const Timestamp timestamp = MakeTimestamp();
    const Timestamp version = MakeExplicitTimestamp();
    switch (random_.Uniform(16)) {
      case 0:
        mutation.DeleteVersion(family, qualifier, version);
        return;
      case 1:
        mutation.DeleteColumn(family, qualifier, timestamp);
        return;
      case 2:
        mutation.DeleteFamily(family, timestamp);
        return;
      case 3:
        mutation.DeleteFamilyVersion(family, version);
        return;
      case 4:
        mutation.DeleteRow(timestamp);
        return;
      case 5:
      case 6:
        mutation.Increment(family, random_.OneIn(8) ? qualifier : kCounter,
                           static_cast<int64_t>(random_.Uniform(5)) - 2,
                           MakeOldRange());
        return;
      case 7:
        mutation.Append(family, qualifier, MakeValue(), MakeOldRange());
        return;
      case 8:
        mutation.Put(family, kCounter, std::string(8, '\xff'), timestamp);
        return;
      default:
        mutation.Put(family, qualifier, MakeValue(), timestamp);
    }
  }

  RowMutation MakeBadMutation() {
    const std::string family = MakeFamily();
    switch (static_cast<Defect>(
        random_.Uniform(static_cast<uint64_t>(Defect::kCount)))) {
      case Defect::kNoRow:
        return RowMutation("").Put(family, "q", "bad");
      case Defect::kLongRow:
        return RowMutation(std::string(kMaxRowBytes + 1, 'b'))
            .Put(family, "q", "bad");
      case Defect::kRowBelow:  // Of half of the regions.
        return RowMutation("A").Put(family, "q", "low");
      case Defect::kRowAbove:
        return RowMutation("z").Put(family, "q", "high");
      case Defect::kNoEdit:
        return RowMutation("b");
      case Defect::kUnknownFamily:
        return RowMutation("b").Put(family, "q", "bad").Put("?", "q", "bad");
      case Defect::kLongQualifier:
        return RowMutation("b").Put(
            family, std::string(kMaxQualifierBytes + 1, 'q'), "bad");
      case Defect::kLargeCell:
        return RowMutation("b").Put(family, "q",
                                    std::string(kMaxCellBytes, 'x'));
      case Defect::kNegativeTimestamp:
        return RowMutation("b").Put(family, "q", "bad", -1);
      case Defect::kDeleteOfLatestVersion:
      case Defect::kCount:
        break;
    }
    return RowMutation("b").DeleteVersion(family, "q", kLatestTimestamp);
  }

  ReadOptions MakeReadOptions() {
    ReadOptions options;
    options.max_versions = OneOf({1, 1, 2, 3, 10});
    if (random_.OneIn(4)) {
      const uint64_t selections = 1 + random_.Uniform(2);
      for (uint64_t i = 0; i < selections; ++i) {
        ColumnSelection& columns = options.columns.emplace_back();
        columns.family = MakeFamily();
        for (uint64_t n = random_.Uniform(3); n > 0; --n) {
          columns.qualifiers.push_back(MakeQualifier());
        }
      }
    }
    if (random_.OneIn(4)) {
      options.time_range.min = std::max<Timestamp>(MakeExplicitTimestamp(), 0);
      options.time_range.max =
          random_.OneIn(3) ? kMaxTimestamp
                           : options.time_range.min +
                                 static_cast<Timestamp>(random_.Uniform(8));
    }
    if (random_.OneIn(8)) {
      options.isolation = IsolationLevel::kReadUncommitted;
    }
    if (random_.OneIn(8)) options.fill = CacheFill::kNoFill;
    return options;
  }

  Scan MakeScan() {
    Scan scan;
    scan.options = MakeReadOptions();
    if (random_.OneIn(2)) return scan;
    if (random_.OneIn(2)) scan.start_row = MakeRow();
    if (random_.OneIn(2)) scan.stop_row = MakeRow();
    scan.include_start = !random_.OneIn(4);
    scan.include_stop = random_.OneIn(4);
    scan.row_limit = random_.OneIn(2) ? 0 : random_.Uniform(4);
    scan.batch_cells = random_.OneIn(2) ? 0 : random_.Uniform(4);
    return scan;
  }

  Random random_;
  const ModelScriptOptions options_;
  ModelScript script_;
  Timestamp now_ = 0;
  bool crashes_ = false;
  int values_ = 0;
};

}  // namespace

ModelScript MakeModelScript(uint64_t seed, const ModelScriptOptions& options) {
  return ScriptMaker(seed, options).Make();
}

}  // namespace shale
