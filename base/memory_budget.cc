#include "shale/base/memory_budget.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"

namespace shale {

MemoryBudget::MemoryBudget(int64_t capacity_bytes)
    : capacity_bytes_(capacity_bytes) {
  SHALE_CHECK(capacity_bytes > 0) << capacity_bytes;
}

MemoryBudget::~MemoryBudget() {
  absl::MutexLock lock(&mu_);
  SHALE_CHECK(slots_.empty()) << (*slots_.begin())->name << " still charges";
  SHALE_CHECK(listeners_.empty()) << "a pressure listener is left";
}

std::vector<MemoryBudget::Item> MemoryBudget::Breakdown() const {
  std::map<std::string, int64_t> by_name;
  {
    absl::ReaderMutexLock lock(&mu_);
    for (const Slot* slot : slots_) {
      by_name[slot->name] += slot->bytes.load(std::memory_order_relaxed);
    }
  }
  std::vector<Item> items;
  for (const auto& [name, bytes] : by_name) items.push_back({name, bytes});
  return items;
}

MemoryBudget::PressureListener MemoryBudget::OnPressure(
    int64_t threshold_bytes, absl::AnyInvocable<void(int64_t) const> listener) {
  absl::MutexLock lock(&mu_);
  const auto added = listeners_.insert(
      listeners_.end(), Listener{threshold_bytes, std::move(listener)});
  SetLowestThreshold();
  return absl::MakeCleanup(absl::AnyInvocable<void()>([this, added] {
    absl::MutexLock lock(&mu_);
    listeners_.erase(added);
    SetLowestThreshold();
  }));
}

void MemoryBudget::SetLowestThreshold() {
  int64_t lowest = INT64_MAX;
  for (const Listener& listener : listeners_) {
    lowest = std::min(lowest, listener.threshold_bytes);
  }
  lowest_threshold_.store(lowest, std::memory_order_relaxed);
}

bool MemoryBudget::TryAdd(int64_t bytes) {
  int64_t before = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > capacity_bytes_ - before) return false;
  } while (!used_.compare_exchange_weak(before, before + bytes,
                                        std::memory_order_relaxed));
  ReportRise(before, before + bytes);
  return true;
}

void MemoryBudget::Add(int64_t bytes) {
  const int64_t before = used_.fetch_add(bytes, std::memory_order_relaxed);
  ReportRise(before, before + bytes);
}

void MemoryBudget::Subtract(int64_t bytes) {
  used_.fetch_sub(bytes, std::memory_order_relaxed);
}

void MemoryBudget::ReportRise(int64_t before, int64_t after) {
  if (after < lowest_threshold_.load(std::memory_order_relaxed)) return;
  absl::ReaderMutexLock lock(&mu_);
  for (const Listener& listener : listeners_) {
    if (before < listener.threshold_bytes &&
        after >= listener.threshold_bytes) {
      listener.call(after);
    }
  }
}

MemoryAccount::MemoryAccount(MemoryBudget& budget, absl::string_view name)
    : budget_(&budget), slot_(std::make_unique<MemoryBudget::Slot>()) {
  slot_->name = std::string(name);
  absl::MutexLock lock(&budget_->mu_);
  budget_->slots_.insert(slot_.get());
}

MemoryAccount& MemoryAccount::operator=(MemoryAccount&& other) noexcept {
  if (this != &other) {
    Close();
    budget_ = other.budget_;
    slot_ = std::move(other.slot_);
  }
  return *this;
}

MemoryAccount::~MemoryAccount() { Close(); }

void MemoryAccount::Close() {
  if (slot_ == nullptr) return;
  Release(bytes());
  absl::MutexLock lock(&budget_->mu_);
  budget_->slots_.erase(slot_.get());
}

absl::Status MemoryAccount::TryCharge(int64_t bytes) {
  SHALE_CHECK(bytes >= 0) << slot_->name << ' ' << bytes;
  if (!budget_->TryAdd(bytes)) {
    return absl::ResourceExhaustedError(
        absl::StrCat("memory budget: ", slot_->name, " wants ", bytes,
                     " bytes, has ", this->bytes(), "; all have ",
                     budget_->used_bytes(), " of ", budget_->capacity_bytes()));
  }
  slot_->bytes.fetch_add(bytes, std::memory_order_relaxed);
  return absl::OkStatus();
}

void MemoryAccount::ForceCharge(int64_t bytes) {
  SHALE_CHECK(bytes >= 0) << slot_->name << ' ' << bytes;
  slot_->bytes.fetch_add(bytes, std::memory_order_relaxed);
  budget_->Add(bytes);
}

void MemoryAccount::Release(int64_t bytes) {
  const int64_t before =
      slot_->bytes.fetch_sub(bytes, std::memory_order_relaxed);
  SHALE_CHECK(bytes >= 0 && bytes <= before)
      << slot_->name << " gives back " << bytes << " of " << before;
  budget_->Subtract(bytes);
}

}  // namespace shale
