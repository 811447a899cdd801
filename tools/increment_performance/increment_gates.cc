#include "shale/tools/increment_performance/increment_gates.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace shale {
namespace {

constexpr absl::string_view kRandomRows = "random:10000";
constexpr absl::string_view kOneHotRow = "hot:1";
constexpr int kManyThreads = 96;
constexpr auto kAtLeast = Gate::Bound::kAtLeast;
constexpr auto kAtMost = Gate::Bound::kAtMost;

// Collects the gates whose runs were made.
class GateBuilder {
 public:
  explicit GateBuilder(const IncrementResults& results) : results_(results) {}

  using Runs = const std::vector<IncrementRun>&;

  // What `compare` makes of two variants under one setting.
  template <typename Compare>
  void Pair(absl::string_view what, const IncrementSetting& setting,
            absl::string_view a, absl::string_view b, Gate::Bound bound,
            double limit, Compare compare) {
    const std::string rows = setting.rows.Name();
    const auto* const runs_a = results_.Find(rows, setting.threads, a);
    const auto* const runs_b = results_.Find(rows, setting.threads, b);
    if (runs_a == nullptr || runs_b == nullptr) return;
    gates_.push_back({absl::StrCat(what, " ", a, " / ", b, ", ", rows, ", ",
                                   setting.threads, " threads"),
                      compare(*runs_a, *runs_b), bound, limit, 1});
  }

  void RateRatio(const IncrementSetting& setting, absl::string_view a,
                 absl::string_view b, double limit) {
    Pair("rate", setting, a, b, kAtLeast, limit,
         [](Runs x, Runs y) { return Ratio(RateOf(x), RateOf(y)); });
  }

  // One variant's rate at kManyThreads over its rate at one.
  void Scaling(absl::string_view variant, double limit) {
    const auto* const many = results_.Find(kRandomRows, kManyThreads, variant);
    const auto* const one = results_.Find(kRandomRows, 1, variant);
    if (many == nullptr || one == nullptr) return;
    gates_.push_back({absl::StrCat("scaling 96/1 ", variant),
                      Ratio(RateOf(*many), RateOf(*one)), kAtLeast, limit, 1});
  }

  // That a variant's rate at kManyThreads falls that far below its own best.
  void Collapse(absl::string_view variant, double limit) {
    const auto* const many = results_.Find(kRandomRows, kManyThreads, variant);
    if (many == nullptr) return;
    const std::vector<IncrementRun>* best = many;
    for (const IncrementSetting& setting : results_.settings) {
      const auto* const runs =
          results_.Find(kRandomRows, setting.threads, variant);
      if (runs != nullptr && RateOf(*runs).median() > RateOf(*best).median()) {
        best = runs;
      }
    }
    // Without a sweep there is no peak to fall from.
    if (results_.settings.size() == 1) return;
    gates_.push_back(
        {absl::StrCat("rate at 96 threads over own peak ", variant),
         Ratio(RateOf(*many), RateOf(*best)), kAtMost, limit, 1});
  }

  // A quantity of one variant under one setting, where less is better.
  void AtMost(absl::string_view what, const IncrementSetting& setting,
              absl::string_view variant, Sample measured, double limit) {
    gates_.push_back(
        {absl::StrCat(what, " ", variant, ", ", setting.rows.Name(), ", ",
                      setting.threads, " threads"),
         std::move(measured), kAtMost, limit, 0});
  }

  std::vector<Gate> TakeGates() { return std::move(gates_); }

 private:
  const IncrementResults& results_;
  std::vector<Gate> gates_;
};

void AddRegressionGates(GateBuilder& gates) {
  const std::string slow = "head_of_line+consistent";
  const std::string fast = "prefix+consistent";
  const auto random = [](int threads) {
    return IncrementSetting{{RowChoice::Kind::kRandom, 10000}, threads};
  };
  gates.RateRatio(random(96), fast, slow, 5.15);
  gates.RateRatio(random(32), fast, slow, 3.06);
  gates.RateRatio(random(1), fast, slow, 0.95);
  // Otherwise the regression wasn't reproduced, and the ratios mean nothing.
  gates.Collapse(slow, 0.5);
  gates.Pair("switches", random(96), slow, fast, kAtLeast, 5,
             [](const auto& x, const auto& y) {
               return Ratio(PerIncrementOf(x, &Causes::context_switches),
                            PerIncrementOf(y, &Causes::context_switches));
             });
  gates.RateRatio(random(96), "head_of_line+narrow", slow, 6.69);
  gates.Scaling(fast, 8.15);
  gates.Scaling("ring+pipelined", 20);
}

// Wake-ups of the ring, and its tail against that of `prefix`.
void AddRingGates(const IncrementResults& results, GateBuilder& gates) {
  for (const IncrementSetting& setting : results.settings) {
    for (const VariantPair& variant : results.variants) {
      if (variant.mvcc != "ring") continue;
      const std::vector<IncrementRun>& runs =
          *results.Find(setting.rows.Name(), setting.threads, variant.Name());
      const Sample wakes = Ratio(PerIncrementOf(runs, &Causes::wakes),
                                 PerIncrementOf(runs, &Causes::waits));
      // No wait, no wake.
      if (wakes.size() > 0) {
        gates.AtMost("wakes a waiting op", setting, variant.Name(), wakes, 1.1);
      }
      if (setting.threads < 32) continue;
      // The others hold a row until its sync is done, which costs switches that
      // no write numbering can save.
      if (variant.increment == "pipelined") {
        gates.AtMost("switches an op", setting, variant.Name(),
                     PerIncrementOf(runs, &Causes::context_switches), 1.7);
      }
      gates.Pair("p99", setting, variant.Name(),
                 absl::StrCat("prefix+", variant.increment), kAtMost, 1,
                 [](const auto& x, const auto& y) {
                   return Ratio(MillisOf(x, 99), MillisOf(y, 99));
                 });
    }
  }
}

void AddPipelinedGates(const IncrementResults& results, GateBuilder& gates) {
  for (const IncrementSetting& setting : results.settings) {
    for (const VariantPair& variant : results.variants) {
      if (variant.increment != "pipelined") continue;
      const bool hot =
          setting.rows.Name() == kOneHotRow && setting.threads == kManyThreads;
      gates.RateRatio(setting, variant.Name(),
                      absl::StrCat(variant.mvcc, "+narrow"), hot ? 20 : 0.95);
    }
  }
}

}  // namespace

std::vector<Gate> IncrementGates(const IncrementResults& results) {
  GateBuilder gates(results);
  AddRegressionGates(gates);
  AddRingGates(results, gates);
  AddPipelinedGates(results, gates);
  return gates.TakeGates();
}

}  // namespace shale
