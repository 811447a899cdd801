#include "shale/filesystem/testing/fault_plan.h"

#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace shale {
namespace {

constexpr size_t kLoggedCalls = 10000;

bool Matches(absl::string_view pattern, absl::string_view name) {
  const size_t star = pattern.find('*');
  if (star == pattern.npos) return pattern == name;
  if (name.substr(0, star) != pattern.substr(0, star)) return false;
  const absl::string_view rest = pattern.substr(star + 1);
  for (size_t start = star; start <= name.size(); ++start) {
    if (Matches(rest, name.substr(start))) return true;
  }
  return false;
}

absl::string_view EffectName(Fault::Effect effect) {
  switch (effect) {
    case Fault::Effect::kNotApplied:
      return "not applied";
    case Fault::Effect::kApplied:
      return "applied";
    case Fault::Effect::kAppliedLater:
      return "applied later";
    case Fault::Effect::kShort:
      return "short";
    case Fault::Effect::kTorn:
      return "torn";
    case Fault::Effect::kHeld:
      return "held";
  }
  return "no effect";
}

std::string Describe(const Fault& fault) {
  if (fault.effect == Fault::Effect::kHeld) return "held";
  return absl::StrCat(fault.error_number != 0
                          ? std::generic_category().message(fault.error_number)
                          : std::string(OutcomeName(fault.outcome)),
                      ", ", EffectName(fault.effect));
}

bool IsMutation(FileOp op) {
  return op != FileOp::kOpen && op != FileOp::kList &&
         op != FileOp::kReadMeta && op != FileOp::kRead;
}

absl::Status ErrorOf(const Fault& fault, FileOp op, absl::string_view name) {
  if (fault.effect == Fault::Effect::kHeld) return absl::OkStatus();
  if (fault.error_number == 0) {
    return FileError(fault.outcome, FileOpName(op), name, "injected");
  }
  return ErrnoError(fault.error_number, FileOpName(op), name, IsMutation(op));
}

}  // namespace

absl::string_view FileOpName(FileOp op) {
  constexpr absl::string_view kNames[kFileOps] = {
      "create",  "open", "remove", "clone", "list",   "read metadata", "commit",
      "acquire", "seal", "append", "sync",  "finish", "read"};
  return kNames[static_cast<size_t>(op)];
}

std::string FaultRule::ToString() const {
  const std::string calls =
      times == kAlways ? absl::StrCat("calls from ", nth, " on")
                       : absl::StrCat("calls ", nth, " to ", nth + times - 1);
  return absl::StrCat(op.has_value() ? FileOpName(*op) : "any call", " of ",
                      name, ", ", calls, ": ", Describe(fault));
}

FaultRuleId FaultPlan::Inject(FaultRule rule) {
  absl::MutexLock lock(&mu_);
  const FaultRuleId id{++last_rule_};
  rules_[id].rule = std::move(rule);
  return id;
}

void FaultPlan::Switch(FaultRuleId rule, bool on) {
  absl::MutexLock lock(&mu_);
  const auto found = rules_.find(rule);
  if (found != rules_.end()) found->second.on = on;
}

void FaultPlan::Withdraw(FaultRuleId rule) {
  absl::MutexLock lock(&mu_);
  rules_.erase(rule);
}

void FaultPlan::WithdrawAll() {
  absl::MutexLock lock(&mu_);
  rules_.clear();
}

uint64_t FaultPlan::picked(FaultRuleId rule) const {
  absl::MutexLock lock(&mu_);
  const auto found = rules_.find(rule);
  return found == rules_.end() ? 0 : found->second.picked;
}

FaultPlan::Decision FaultPlan::Decide(FileOp op, absl::string_view name,
                                      size_t bytes, SyncMode mode) {
  absl::MutexLock lock(&mu_);
  ++calls_;
  ++calls_of_[static_cast<size_t>(op)];
  const bool full = op == FileOp::kSync && mode == SyncMode::kFull;
  if (full) ++full_syncs_;
  Decision decision;
  decision.releases = releases_;
  for (auto& [id, active] : rules_) {
    const FaultRule& rule = active.rule;
    if (!active.on || (rule.op.has_value() && *rule.op != op) ||
        !Matches(rule.name, name)) {
      continue;
    }
    ++active.seen;
    if (!decision.fault.has_value() && active.seen >= rule.nth &&
        active.seen - rule.nth < rule.times) {
      ++active.picked;
      decision.fault = rule.fault;
      decision.error = ErrorOf(rule.fault, op, name);
      decision.seed = random_.Next();
    }
  }
  if (log_.size() == kLoggedCalls) log_.pop_front();
  log_.push_back(absl::StrCat(
      "#", calls_, " ", FileOpName(op), " ", name,
      bytes == 0 ? "" : absl::StrCat(", ", bytes, " bytes"),
      full ? ", full" : "",
      decision.fault.has_value() ? ": " + Describe(*decision.fault) : ""));
  return decision;
}

void FaultPlan::Hold(const Decision& decision, const void* owner,
                     absl::AnyInvocable<void()> action) {
  {
    absl::MutexLock lock(&mu_);
    if (decision.releases == releases_) {
      held_.push_back({owner, std::move(action)});
      return;
    }
  }
  action();
}

template <typename Pick>
void FaultPlan::RunHeld(Pick pick) {
  std::vector<Held> picked;
  {
    absl::MutexLock lock(&mu_);
    std::vector<Held> left;
    for (Held& held : held_) {
      (pick(held) ? picked : left).push_back(std::move(held));
    }
    held_ = std::move(left);
  }
  for (Held& held : picked) held.action();
}

void FaultPlan::Release() {
  {
    absl::MutexLock lock(&mu_);
    ++releases_;
  }
  RunHeld([](const Held&) { return true; });
}

void FaultPlan::ReleaseOwner(const void* owner) {
  RunHeld([owner](const Held& held) { return held.owner == owner; });
}

void FaultPlan::SettleLater(Random& random) {
  RunHeld([&random](Held& held) {
    if (held.owner != nullptr) return false;
    if (random.OneIn(2)) held.action = [] {};
    return true;
  });
}

void FaultPlan::AwaitHeld(size_t count) {
  absl::MutexLock lock(&mu_);
  const auto enough = [this, count]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return held_.size() >= count;
  };
  mu_.Await(absl::Condition(&enough));
}

uint64_t FaultPlan::calls() const {
  absl::MutexLock lock(&mu_);
  return calls_;
}

uint64_t FaultPlan::calls(FileOp op) const {
  absl::MutexLock lock(&mu_);
  return calls_of_[static_cast<size_t>(op)];
}

uint64_t FaultPlan::full_syncs() const {
  absl::MutexLock lock(&mu_);
  return full_syncs_;
}

std::string FaultPlan::ToString() const {
  absl::MutexLock lock(&mu_);
  std::string text;
  for (const auto& [id, active] : rules_) {
    absl::StrAppend(&text, active.rule.ToString(), active.on ? "" : " (off)",
                    "\n");
  }
  absl::StrAppend(&text, absl::StrJoin(log_, "\n"), "\n");
  return text;
}

}  // namespace shale
