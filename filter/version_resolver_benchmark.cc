// Cells offered per second, by what a column looks like. The last two show
// how long columns grow.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_kind.h"
#include "shale/cell/timestamp.h"
#include "shale/cell/write_number.h"
#include "shale/filter/retention_rules.h"
#include "shale/filter/version_resolver.h"

namespace shale {
namespace {

Cell MakeCell(std::string row, CellKind kind, int64_t timestamp,
              uint64_t number) {
  Cell cell;
  cell.row = std::move(row);
  cell.qualifier.assign(1, 'q');
  cell.kind = kind;
  cell.timestamp = timestamp;
  cell.number = WriteNumber{number};
  return cell;
}

void OfferAll(benchmark::State& state, const RetentionRules& rules,
              const ReadView& view, const std::vector<Cell>& cells) {
  for (auto _ : state) {
    VersionResolver resolver(rules, view);
    for (const Cell& cell : cells) {
      benchmark::DoNotOptimize(resolver.Offer(cell.view()));
    }
  }
  state.SetItemsProcessed(state.iterations() *
                          static_cast<int64_t>(cells.size()));
}

void OnePutARow(benchmark::State& state) {
  std::vector<Cell> cells;
  for (int64_t i = 0; i < 1000; ++i) {
    cells.push_back(
        MakeCell(absl::StrCat("row", 1000 + i), CellKind::kPut, 1, 1));
  }
  OfferAll(state, {}, {}, cells);
}
BENCHMARK(OnePutARow);

// One column, newest first: a put, then the delete of exactly its version, and
// so on. No two are ever alive together.
void PutAndDeleteInTurn(benchmark::State& state) {
  std::vector<Cell> cells;
  for (int64_t t = state.range(0); t > 0; --t) {
    cells.push_back(
        MakeCell("r", CellKind::kDelete, t, static_cast<uint64_t>(2 * t + 1)));
    cells.push_back(
        MakeCell("r", CellKind::kPut, t, static_cast<uint64_t>(2 * t)));
  }
  OfferAll(state, {.max_versions = 3}, {}, cells);
}
BENCHMARK(PutAndDeleteInTurn)->Range(1 << 8, 1 << 14);

// All versions are wanted, of a family that keeps a thousand.
void ManyVersions(benchmark::State& state) {
  std::vector<Cell> cells;
  for (int64_t t = state.range(0); t > 0; --t) {
    cells.push_back(MakeCell("r", CellKind::kPut, t, static_cast<uint64_t>(t)));
  }
  OfferAll(state, {.max_versions = 1000}, {.max_versions = kAllVersions},
           cells);
}
BENCHMARK(ManyVersions)->Range(1 << 8, 1 << 14);

}  // namespace
}  // namespace shale
