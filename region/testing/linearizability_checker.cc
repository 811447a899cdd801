#include "shale/region/testing/linearizability_checker.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"

namespace shale {
namespace {

using Kind = CounterOperation::Kind;
using State = std::optional<int64_t>;  // Nothing: absent.

// Does `operation` to `state`; whether it would have been told the same.
bool IsToldTheSame(const CounterOperation& operation, State& state) {
  switch (operation.kind) {
    case Kind::kIncrement:
      state = state.value_or(0) + operation.argument;
      return operation.result == state;
    case Kind::kPut:
      state = operation.argument;
      return true;
    case Kind::kDelete:
      state = std::nullopt;
      return true;
    case Kind::kCheckAndPut: {
      const bool matched = state == operation.expected;
      if (matched) state = operation.argument;
      return operation.result == (matched ? 1 : 0);
    }
    case Kind::kRead:
      return operation.result == state;
  }
  return false;
}

bool Agrees(const CounterOperation& operation, State& state) {
  return IsToldTheSame(operation, state) || operation.unknown;
}

class Search {
 public:
  explicit Search(const std::vector<CounterOperation>& history)
      : history_(history) {
    for (size_t i = 0; i < history.size(); ++i) {
      if (!history[i].unknown) confirmed_ |= uint64_t{1} << i;
    }
  }

  // Whether what is not in `done` can follow from `state`.
  bool Run(uint64_t done, State state) {
    if ((done & confirmed_) == confirmed_) return true;
    if (!visited_.insert({done, state}).second) return false;
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
  const std::vector<CounterOperation>& history_;
  uint64_t confirmed_ = 0;  // A bit for each that has happened.
  std::set<std::pair<uint64_t, State>> visited_;
};

std::string Text(const State& state) {
  return state.has_value() ? absl::StrCat(*state) : "absent";
}

}  // namespace

std::string CounterOperation::ToString() const {
  const std::string times =
      unknown ? absl::StrCat("[", called, ", ...) perhaps ")
              : absl::StrCat("[", called, ", ", returned, "] ");
  switch (kind) {
    case Kind::kIncrement:
      return absl::StrCat(times, "increment by ", argument, ": ", Text(result));
    case Kind::kPut:
      return absl::StrCat(times, "put ", argument);
    case Kind::kDelete:
      return absl::StrCat(times, "delete");
    case Kind::kCheckAndPut:
      return absl::StrCat(times, "put ", argument, " if ", Text(expected), ": ",
                          result == 1 ? "done" : "not done");
    case Kind::kRead:
      return absl::StrCat(times, "read ", Text(result));
  }
  return times;
}

bool IsLinearizable(const std::vector<CounterOperation>& history) {
  SHALE_CHECK(history.size() <= 64) << history.size() << " operations";
  return Search(history).Run(0, std::nullopt);
}

}  // namespace shale
