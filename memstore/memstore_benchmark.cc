#include <cstdint>
#include <memory>
#include <string>

#include "benchmark/benchmark.h"
#include "shale/base/check.h"
#include "shale/base/random.h"
#include "shale/cell/cell_key.h"
#include "shale/memstore/memstore_segment.h"

namespace shale {
namespace {

// 20-byte rows, 100-byte values, in random order.
Cell BenchmarkCell(Random& random, uint64_t number) {
  Cell cell;
  cell.row = random.Bytes(20);
  cell.qualifier = "q";
  cell.timestamp = 1;
  cell.number = WriteNumber{number};
  cell.value = std::string(100, 'v');
  return cell;
}

void BM_Insert(benchmark::State& state) {
  Random random(1);
  MemstoreSegment segment;
  Cell cell = BenchmarkCell(random, 0);
  for (auto _ : state) {
    cell.row = random.Bytes(20);
    ++cell.number.value;
    segment.Insert(cell.view());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_Insert);

void BM_SeekAmong(benchmark::State& state) {
  Random random(1);
  MemstoreSegment segment;
  std::vector<std::string> rows;
  for (int64_t i = 0; i < state.range(0); ++i) {
    const Cell cell = BenchmarkCell(random, static_cast<uint64_t>(i));
    rows.push_back(cell.row);
    segment.Insert(cell.view());
  }
  const std::unique_ptr<CellScanner> scanner = segment.NewScanner();
  for (auto _ : state) {
    SHALE_CHECK_OK(
        scanner->Seek(FirstKeyOfRow(rows[random.Uniform(rows.size())])));
    benchmark::DoNotOptimize(scanner->cell());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_SeekAmong)->Arg(1000)->Arg(20000);

void BM_Scan(benchmark::State& state) {
  Random random(1);
  MemstoreSegment segment;
  for (uint64_t i = 0; i < 20000; ++i) {
    segment.Insert(BenchmarkCell(random, i).view());
  }
  const std::unique_ptr<CellScanner> scanner = segment.NewScanner();
  for (auto _ : state) {
    if (scanner->cell() == nullptr) {
      SHALE_CHECK_OK(scanner->Seek(""));
    }
    SHALE_CHECK_OK(scanner->Next());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_Scan);

}  // namespace
}  // namespace shale
