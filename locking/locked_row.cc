#include "shale/locking/locked_row.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"

namespace shale {

void LockedRow::Reset(absl::string_view row, size_t shard) {
  SHALE_CHECK(references_ == 0 && holds_.empty() && waiting_.empty());
  row_.assign(row.data(), row.size());
  shard_ = shard;
  overtakings_ = 0;
}

LockedRow::Answer LockedRow::Take(LockOwner owner, LockMode mode,
                                  int64_t max_bypass) {
  const bool holds = Find(owner) != nullptr;
  if (!HasRoom(owner, mode)) {
    // Only the first can be an owner's that holds the row; see Wait().
    const bool deadlock =
        holds && !waiting_.empty() && Find(waiting_.front()->owner) != nullptr;
    return deadlock ? Answer::kDeadlock : Answer::kMustWait;
  }
  if (!holds && !waiting_.empty()) {
    if (!MayBeOvertaken(max_bypass)) return Answer::kMustWait;
    ++overtakings_;
  }
  AddHold(owner, mode);
  return Answer::kGranted;
}

void LockedRow::Wait(LockRequest& request) {
  request.joined_at = overtakings_;
  request.upgrade = Find(request.owner) != nullptr;
  if (request.upgrade) {
    waiting_.PushFront(request);
  } else {
    waiting_.PushBack(request);
  }
}

void LockedRow::Release(LockOwner owner, LockMode mode) {
  Hold* const hold = Find(owner);
  SHALE_CHECK(hold != nullptr) << "owner " << owner.id << " holds nothing";
  int64_t& count =
      mode == LockMode::kExclusive ? hold->exclusive : hold->shared;
  SHALE_CHECK(count > 0) << "owner " << owner.id << " holds it otherwise";
  --count;
  if (hold->shared == 0 && hold->exclusive == 0) {
    *hold = holds_.back();
    holds_.pop_back();
  }
}

LockRequest* LockedRow::GrantNext() {
  LockRequest* const next = waiting_.front();
  if (next == nullptr || !HasRoom(next->owner, next->mode)) return nullptr;
  waiting_.Remove(*next);
  AddHold(next->owner, next->mode);
  return next;
}

std::string LockedRow::Describe() const {
  constexpr size_t kNamed = 3;
  std::string text = "free";
  if (!holds_.empty()) {
    text = holds_.front().exclusive > 0 ? "held exclusive by owner "
                                        : "held shared by owner ";
    for (size_t i = 0; i < std::min(holds_.size(), kNamed); ++i) {
      absl::StrAppend(&text, i == 0 ? "" : ", ", holds_[i].owner.id);
    }
    if (holds_.size() > kNamed) {
      absl::StrAppend(&text, " and ", holds_.size() - kNamed, " more");
    }
  }
  absl::StrAppend(&text, ", ", waiting_.size(), " waiting");
  return text;
}

LockedRow::Hold* LockedRow::Find(LockOwner owner) {
  for (Hold& hold : holds_) {
    if (hold.owner == owner) return &hold;
  }
  return nullptr;
}

bool LockedRow::HasRoom(LockOwner owner, LockMode mode) {
  if (const Hold* hold = Find(owner); hold != nullptr) {
    return hold->exclusive > 0 || mode == LockMode::kShared ||
           holds_.size() == 1;
  }
  if (mode == LockMode::kExclusive) return holds_.empty();
  return holds_.empty() || holds_.front().exclusive == 0;
}

bool LockedRow::MayBeOvertaken(int64_t max_bypass) const {
  for (const LockRequest* request = waiting_.front(); request != nullptr;
       request = request->next_in_queue) {
    const uint64_t overtaken = overtakings_ - request->joined_at;
    if (overtaken >= static_cast<uint64_t>(max_bypass)) return false;
    // Those behind it came later; only an upgrade goes before older ones.
    if (!request->upgrade) break;
  }
  return true;
}

void LockedRow::AddHold(LockOwner owner, LockMode mode) {
  Hold* hold = Find(owner);
  if (hold == nullptr) hold = &holds_.emplace_back(Hold{.owner = owner});
  ++(mode == LockMode::kExclusive ? hold->exclusive : hold->shared);
}

}  // namespace shale
