#include "shale/tools/benchmark/gate.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"

namespace shale {
namespace {

bool Holds(const Gate& gate, double value) {
  return gate.bound == Gate::Bound::kAtLeast ? value >= gate.limit
                                             : value <= gate.limit;
}

const char* Name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "pass";
    case Verdict::kFail:
      return "FAIL";
    case Verdict::kUnclear:
      return "unclear";
  }
  return "";
}

}  // namespace

Verdict Judge(const Gate& gate) {
  const Sample& measured = gate.measured;
  if (measured.size() < kFewestRepetitions) return Verdict::kUnclear;
  const bool holds = Holds(gate, measured.median());
  const bool unanimous =
      std::all_of(measured.values().begin(), measured.values().end(),
                  [&](double value) { return Holds(gate, value) == holds; });
  if (!unanimous && measured.spread() > std::abs(gate.limit - gate.neutral)) {
    return Verdict::kUnclear;
  }
  return holds ? Verdict::kPass : Verdict::kFail;
}

absl::Status PrintGates(absl::Span<const Gate> gates, Printer& printer) {
  if (gates.empty()) {
    return absl::FailedPreconditionError(
        "what was measured lets no gate be judged");
  }
  int failed = 0;
  int unclear = 0;
  printer.BeginTable(
      {"gate", "measured", "wanted", "limit", "spread", "verdict"});
  for (const Gate& gate : gates) {
    const Verdict verdict = Judge(gate);
    failed += verdict == Verdict::kFail ? 1 : 0;
    unclear += verdict == Verdict::kUnclear ? 1 : 0;
    printer.Row({gate.claim, Decimal{gate.measured.median(), 2},
                 std::string(gate.bound == Gate::Bound::kAtLeast ? "at least"
                                                                 : "at most"),
                 Decimal{gate.limit, 2}, Decimal{gate.measured.spread(), 2},
                 std::string(Name(verdict))});
  }
  printer.EndTable();
  if (failed + unclear == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("of ", gates.size(), " gates ", failed, " fail and ",
                   unclear, " are unclear"));
}

}  // namespace shale
