#include "shale/region/region.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/region/region_core.h"

namespace shale {
namespace {

// Inside the region for the length of one call.
class Visit {
 public:
  explicit Visit(RegionCore& core)
      : core_(core), entered_(core.gate().Enter()) {}
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;
  ~Visit() {
    if (entered_) core_.gate().Leave();
  }

  absl::Status status() const {
    if (entered_) return absl::OkStatus();
    return absl::FailedPreconditionError(
        absl::StrCat("region ", core_.schema().name, " is closed"));
  }

 private:
  RegionCore& core_;
  const bool entered_;
};

ApplyResult Refused(const MutationBatch& batch, const absl::Status& status) {
  ApplyResult result;
  result.statuses.assign(batch.mutations.size(), status);
  return result;
}

}  // namespace

Region::Region(std::unique_ptr<RegionCore> core) : core_(std::move(core)) {}
Region::~Region() = default;

const RegionSchema& Region::schema() const { return core_->schema(); }

void Region::ApplyAsync(MutationBatch batch,
                        absl::AnyInvocable<void(ApplyResult)> done) {
  absl::StatusOr<RegionWriter*> writer = core_->writer();
  if (writer.ok()) {
    (*writer)->ApplyAsync(std::move(batch), std::move(done));
    return;
  }
  done(Refused(batch, writer.status()));
}

ApplyResult Region::Apply(MutationBatch batch) {
  absl::StatusOr<RegionWriter*> writer = core_->writer();
  if (!writer.ok()) return Refused(batch, writer.status());
  return (*writer)->Apply(std::move(batch));
}

absl::Status Region::Apply(RowMutation mutation, Durability durability) {
  MutationBatch batch;
  batch.mutations.push_back(std::move(mutation));
  batch.durability = durability;
  return Apply(std::move(batch)).status();
}

UpdateResult Region::Update(MutationBatch batch) {
  return UpdateResult(Apply(std::move(batch)));
}

void Region::UpdateAsync(MutationBatch batch, UpdateDone done) {
  ApplyAsync(std::move(batch),
             [done = std::move(done)](ApplyResult result) mutable {
               done(UpdateResult(std::move(result)));
             });
}

UpdateResult Region::Increment(class Increment increment) {
  return Update(increment.TakeBatch());
}

UpdateResult Region::Append(class Append append) {
  return Update(append.TakeBatch());
}

UpdateResult Region::CheckAndMutate(class CheckAndMutate check_and_mutate) {
  return Update(check_and_mutate.TakeBatch());
}

void Region::IncrementAsync(class Increment increment, UpdateDone done) {
  UpdateAsync(increment.TakeBatch(), std::move(done));
}

void Region::AppendAsync(class Append append, UpdateDone done) {
  UpdateAsync(append.TakeBatch(), std::move(done));
}

void Region::CheckAndMutateAsync(class CheckAndMutate check_and_mutate,
                                 UpdateDone done) {
  UpdateAsync(check_and_mutate.TakeBatch(), std::move(done));
}

absl::StatusOr<RowResult> Region::Read(const Get& get) const {
  const Visit visit(*core_);
  SHALE_RETURN_IF_ERROR(visit.status());
  core_->counters().gets.Increment();
  return core_->reader().Read(get);
}

absl::StatusOr<std::unique_ptr<RegionScanner>> Region::NewScanner(
    const Scan& scan) const {
  const Visit visit(*core_);
  SHALE_RETURN_IF_ERROR(visit.status());
  core_->counters().scans.Increment();
  return core_->reader().NewScanner(scan);
}

absl::StatusOr<FlushResult> Region::Flush() {
  const Visit visit(*core_);
  SHALE_RETURN_IF_ERROR(visit.status());
  SHALE_ASSIGN_OR_RETURN(RegionWriter* const writer, core_->writer());
  return writer->Flush();
}

absl::StatusOr<CompactionResult> Region::Compact() {
  const Visit visit(*core_);
  SHALE_RETURN_IF_ERROR(visit.status());
  SHALE_ASSIGN_OR_RETURN(RegionWriter* const writer, core_->writer());
  return writer->Compact();
}

absl::Status Region::Verify(
    const std::function<void(uint64_t, uint64_t)>& progress) const {
  const Visit visit(*core_);
  SHALE_RETURN_IF_ERROR(visit.status());
  return core_->Verify(progress);
}

absl::Status Region::Close() { return core_->Close(); }
RegionHealth Region::Health() const { return core_->health().health(); }
RegionStats Region::Stats() const { return core_->Stats(); }

}  // namespace shale
