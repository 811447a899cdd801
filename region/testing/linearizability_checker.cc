#include "shale/region/testing/linearizability_checker.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"

namespace shale {
namespace {

using Kind = RowOperation::Kind;

struct State {
  std::optional<int64_t> count;
  std::string text;
};

// Does `operation` to `state`; whether it would have been told the same.
bool IsToldTheSame(const RowOperation& operation, State& state) {
  if (operation.checked && state.count != operation.expected) {
    return !operation.matched;
  }
  switch (operation.kind) {
    case Kind::kIncrement:
      if (operation.argument != 0) {
        state.count = state.count.value_or(0) + operation.argument;
      }
      return operation.matched && operation.count == state.count;
    case Kind::kAppend:
      absl::StrAppend(&state.text, operation.argument);
      return operation.matched && operation.text == state.text;
    case Kind::kPut:
      state.count = operation.argument;
      return operation.matched;
    case Kind::kDelete:
      state = {};
      return operation.matched;
    case Kind::kRead:
      return operation.count == state.count && operation.text == state.text;
    case Kind::kReadCount:
      return operation.count == state.count;
  }
  return false;
}

bool Agrees(const RowOperation& operation, State& state) {
  return IsToldTheSame(operation, state) || operation.unknown;
}

class Search {
 public:
  explicit Search(const std::vector<RowOperation>& history)
      : history_(history) {
    for (size_t i = 0; i < history.size(); ++i) {
      if (!history[i].unknown) confirmed_ |= uint64_t{1} << i;
    }
  }

  // Whether what is not in `done` can follow from `state`.
  bool Run(uint64_t done, const State& state) {
    if ((done & confirmed_) == confirmed_) return true;
    if (!visited_.insert({done, state.count, state.text}).second) return false;
    // Nobody can come after one that returned before it was called.
    int64_t first_return = std::numeric_limits<int64_t>::max();
    for (size_t i = 0; i < history_.size(); ++i) {
      if ((done >> i & 1) == 0 && !history_[i].unknown) {
        first_return = std::min(first_return, history_[i].returned);
      }
    }
    for (size_t i = 0; i < history_.size(); ++i) {
      if ((done >> i & 1) != 0 || history_[i].called > first_return) continue;
      State next = state;
      if (Agrees(history_[i], next) && Run(done | uint64_t{1} << i, next)) {
        return true;
      }
    }
    return false;
  }

 private:
  const std::vector<RowOperation>& history_;
  uint64_t confirmed_ = 0;  // A bit for each that has happened.
  std::set<std::tuple<uint64_t, std::optional<int64_t>, std::string>> visited_;
};

std::string Text(const std::optional<int64_t>& count) {
  return count.has_value() ? absl::StrCat(*count) : "absent";
}

// What was done, without when, whether and what came of it.
std::string Deed(const RowOperation& operation) {
  switch (operation.kind) {
    case Kind::kIncrement:
      return absl::StrCat("increment by ", operation.argument);
    case Kind::kAppend:
      return absl::StrCat("append ", operation.argument);
    case Kind::kPut:
      return absl::StrCat("put ", operation.argument);
    case Kind::kDelete:
      return "delete";
    case Kind::kRead:
      return "read";
    case Kind::kReadCount:
      return "read the counter";
  }
  return "";
}

}  // namespace

std::string RowOperation::ToString() const {
  std::string line = unknown ? absl::StrCat("[", called, ", ...) perhaps ")
                             : absl::StrCat("[", called, ", ", returned, "] ");
  absl::StrAppend(&line, Deed(*this));
  if (checked) absl::StrAppend(&line, " if ", Text(expected));
  if (unknown) return line;
  if (!matched) return line + ": not done";
  if (kind == Kind::kIncrement || kind == Kind::kRead ||
      kind == Kind::kReadCount) {
    absl::StrAppend(&line, ": ", Text(count));
  }
  if (kind == Kind::kAppend || kind == Kind::kRead) {
    absl::StrAppend(&line, ": '", text, "'");
  }
  return line;
}

bool IsLinearizable(const std::vector<RowOperation>& history) {
  SHALE_CHECK(history.size() <= 64) << history.size() << " operations";
  return Search(history).Run(0, {});
}

}  // namespace shale
