// Writing, scanning and getting over a file in memory, cells of 100-byte
// values.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "benchmark/benchmark.h"
#include "shale/base/check.h"
#include "shale/base/random.h"
#include "shale/cache/lru_block_cache.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/cell_scanner.h"
#include "shale/storefile/compression.h"
#include "shale/storefile/store_file_reader.h"
#include "shale/storefile/store_file_writer.h"
#include "shale/storefile/testing/store_file_bytes.h"

namespace shale {
namespace {

constexpr int kCells = 20'000;

std::string Row(uint64_t i) { return absl::StrFormat("user%012d", i); }

// Values of which half can be compressed away.
std::vector<Cell> MakeCells() {
  Random random(1);
  std::vector<Cell> cells(kCells);
  for (uint64_t i = 0; i < kCells; ++i) {
    cells[i].row = Row(i);
    cells[i].family = "f";
    cells[i].qualifier = "field0";
    cells[i].timestamp = 1600000000000000;
    cells[i].number = {i + 1};
    cells[i].value = random.Bytes(50) + std::string(50, 'x');
  }
  return cells;
}

StoreFileWriterOptions OptionsOf(const benchmark::State& state) {
  return {.family = "f",
          .compression = static_cast<Compression>(state.range(0))};
}

// One file, open, with a cache that holds it.
struct OpenFile {
  explicit OpenFile(const benchmark::State& state)
      : cache({.capacity_bytes = 256 << 20}) {
    absl::StatusOr<std::string> bytes =
        BuildStoreFile(MakeCells(), OptionsOf(state));
    SHALE_CHECK_OK(bytes);
    auto opened = OpenBytes(*std::move(bytes), cache);
    SHALE_CHECK_OK(opened);
    reader = *std::move(opened);
  }

  LruBlockCache cache;
  std::unique_ptr<StoreFileReader> reader;
};

void Codecs(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("codec");
  for (uint8_t code = 0; IsCompression(code); ++code) {
    if (IsAvailable(static_cast<Compression>(code))) benchmark->Arg(code);
  }
}

void BM_Write(benchmark::State& state) {
  const std::vector<Cell> cells = MakeCells();
  for (auto _ : state) {
    SHALE_CHECK_OK(BuildStoreFile(cells, OptionsOf(state)));
  }
  int64_t bytes = 0;
  for (const Cell& cell : cells) {
    bytes +=
        static_cast<int64_t>(CellKeyBytes(cell.view()) + cell.value.size());
  }
  state.SetBytesProcessed(state.iterations() * bytes);
  state.SetItemsProcessed(state.iterations() * kCells);
}
BENCHMARK(BM_Write)->Apply(Codecs);

// The whole file, with its blocks in the cache or read each time.
void Scan(benchmark::State& state, CacheFill fill) {
  const OpenFile file(state);
  for (auto _ : state) {
    const std::unique_ptr<CellScanner> scanner =
        file.reader->NewScanner({.fill = fill});
    SHALE_CHECK_OK(scanner->Seek(""));
    while (scanner->cell() != nullptr) {
      benchmark::DoNotOptimize(scanner->cell()->value.data());
      SHALE_CHECK_OK(scanner->Next());
    }
  }
  state.SetItemsProcessed(state.iterations() * kCells);
}
void BM_ScanCached(benchmark::State& state) { Scan(state, CacheFill::kFill); }
BENCHMARK(BM_ScanCached)->Apply(Codecs);
void BM_ScanUncached(benchmark::State& state) {
  Scan(state, CacheFill::kNoFill);
}
BENCHMARK(BM_ScanUncached)->Apply(Codecs);

// Random rows that are there, asked of the bloom first; blocks in the cache.
void BM_GetCached(benchmark::State& state) {
  const OpenFile file(state);
  Random random(1);
  for (auto _ : state) {
    const std::string row = Row(random.Uniform(kCells));
    const absl::StatusOr<bool> found = file.reader->MayContainRow(row);
    SHALE_CHECK(found.ok() && *found);
    const std::unique_ptr<CellScanner> scanner = file.reader->NewScanner({});
    SHALE_CHECK_OK(scanner->Seek(FirstKeyOfRow(row)));
    SHALE_CHECK(scanner->cell() != nullptr && scanner->cell()->row == row);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_GetCached)->Arg(0);

// Rows that are not there: nearly always told by the bloom.
void BM_GetAbsent(benchmark::State& state) {
  const OpenFile file(state);
  Random random(1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        file.reader->MayContainRow(Row(random.Uniform(kCells)) + "x"));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_GetAbsent)->Arg(0);

// Rows in order by one scanner: most seeks stay in the block.
void BM_SeekForward(benchmark::State& state) {
  const OpenFile file(state);
  uint64_t i = 0;
  const std::unique_ptr<CellScanner> scanner = file.reader->NewScanner({});
  for (auto _ : state) {
    i = (i + 7) % kCells;
    SHALE_CHECK_OK(scanner->Seek(FirstKeyOfRow(Row(i))));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_SeekForward)->Arg(0);

}  // namespace
}  // namespace shale
