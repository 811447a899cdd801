#include "shale/filesystem/testing/faulty_read_file.h"

#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"

namespace shale {

FaultyReadFile::FaultyReadFile(FaultPlan& plan, Executor& executor,
                               std::string name, std::unique_ptr<ReadFile> base)
    : plan_(plan),
      name_(std::move(name)),
      tasks_(executor),
      base_(std::move(base)) {}

FaultyReadFile::~FaultyReadFile() { plan_.ReleaseOwner(this); }

template <typename Done, typename Start>
void FaultyReadFile::Dispatch(Done done, Start start) {
  const FaultPlan::Decision decision = plan_.Decide(FileOp::kRead, name_);
  if (!decision.fault.has_value()) {
    start(std::move(done));
  } else if (decision.fault->effect == Fault::Effect::kHeld) {
    plan_.Hold(decision, this,
               [start = std::move(start), done = std::move(done)]() mutable {
                 start(std::move(done));
               });
  } else {
    tasks_.Run([error = decision.error, done = std::move(done)]() mutable {
      done(error);
    });
  }
}

void FaultyReadFile::Read(FileExtent extent, ReadCallback done) {
  Dispatch(std::move(done), [this, extent](ReadCallback done) {
    base_->Read(extent, std::move(done));
  });
}

void FaultyReadFile::ReadMany(absl::Span<const FileExtent> extents,
                              ReadManyCallback done) {
  Dispatch(std::move(done),
           [this, extents = std::vector<FileExtent>(
                      extents.begin(), extents.end())](ReadManyCallback done) {
             base_->ReadMany(extents, std::move(done));
           });
}

absl::StatusOr<std::string> FaultyReadFile::ReadNow(FileExtent extent) {
  const FaultPlan::Decision decision = plan_.Decide(FileOp::kRead, name_);
  if (decision.fault.has_value()) {
    if (!decision.error.ok()) return decision.error;
    absl::Notification released;
    plan_.Hold(decision, this, [&released] { released.Notify(); });
    released.WaitForNotification();
  }
  return base_->ReadNow(extent);
}

}  // namespace shale
