#include "shale/locking/testing/commit_recorder.h"

#include <memory>
#include <utility>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace shale {
namespace {

struct Pending {
  RecordedCommit record;
  std::vector<absl::string_view> rows;
  RowLocks locks;
};

// The commit that this thread is asking a timestamp for: if that is given
// meanwhile, it is given at once. A commit may carry on another one.
thread_local const Pending* asking = nullptr;

}  // namespace

int CommitRecorder::Commit(std::vector<std::string> rows) {
  auto pending = std::make_shared<Pending>();
  pending->record.rows = std::move(rows);
  pending->rows.assign(pending->record.rows.begin(),
                       pending->record.rows.end());
  int id = 0;
  {
    absl::MutexLock lock(&mu_);
    id = begun_++;
  }
  pending->record.id = id;
  const auto assigned = [this, pending](Timestamp timestamp) {
    RecordedCommit& record = pending->record;
    record.assigned = clock_.Monotonic();
    record.wall = clock_.Now();
    record.waited = asking != pending.get();
    record.timestamp = timestamp;
    {
      absl::MutexLock lock(&mu_);
      commits_.push_back(record);
    }
    pending->locks.Release();
  };
  locks_.Acquire(pending->rows, LockMode::kExclusive, locks_.NewOwner(),
                 absl::InfiniteDuration(),
                 [this, pending, assigned](absl::StatusOr<RowLocks> locks) {
                   pending->locks = *std::move(locks);
                   pending->record.asked = clock_.Monotonic();
                   const Pending* const before =
                       std::exchange(asking, pending.get());
                   sequencer_.Assign(pending->rows, assigned);
                   asking = before;
                 });
  return id;
}

std::vector<RecordedCommit> CommitRecorder::commits() const {
  absl::MutexLock lock(&mu_);
  return commits_;
}

int CommitRecorder::unfinished() const {
  absl::MutexLock lock(&mu_);
  return begun_ - static_cast<int>(commits_.size());
}

void ExpectRising(const std::vector<RecordedCommit>& commits,
                  std::map<std::string, Timestamp>& last) {
  for (const RecordedCommit& commit : commits) {
    for (const std::string& row : commit.rows) {
      const auto [it, first] = last.emplace(row, commit.timestamp);
      if (first) continue;
      EXPECT_GT(commit.timestamp, it->second)
          << "row " << row << " in commit " << commit.id;
      it->second = commit.timestamp;
    }
  }
}

}  // namespace shale
