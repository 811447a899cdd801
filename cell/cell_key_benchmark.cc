// One comparison of two encoded keys, by where they differ.
#include <cstdint>
#include <string>

#include "benchmark/benchmark.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/write_number.h"

namespace shale {
namespace {

std::string KeyOf(const std::string& row, const std::string& qualifier,
                  uint64_t number) {
  std::string key;
  AppendCellKey(CellView{.row = row,
                         .qualifier = qualifier,
                         .timestamp = 1700000000000000,
                         .number = WriteNumber{number}},
                &key);
  return key;
}

void Compare(benchmark::State& state, const std::string& a,
             const std::string& b) {
  for (auto _ : state) benchmark::DoNotOptimize(CompareCellKeys(a, b));
}

BENCHMARK_CAPTURE(Compare, other_row, KeyOf("user000000000017", "name", 1),
                  KeyOf("user000000000018", "name", 1));
BENCHMARK_CAPTURE(Compare, other_row_length, KeyOf("user17", "name", 1),
                  KeyOf("user017", "name", 1));
BENCHMARK_CAPTURE(Compare, other_qualifier_length,
                  KeyOf("user000000000017", "name", 1),
                  KeyOf("user000000000017", "names", 1));
BENCHMARK_CAPTURE(Compare, other_number, KeyOf("user000000000017", "name", 1),
                  KeyOf("user000000000017", "name", 2));

}  // namespace
}  // namespace shale
