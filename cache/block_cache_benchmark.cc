#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "benchmark/benchmark.h"
#include "shale/cache/block_cache.h"
#include "shale/cache/lru_block_cache.h"

namespace shale {
namespace {

constexpr uint64_t kBlocks = 1000;

// Shared by the threads of a benchmark.
BlockCache& FullCache() {
  static LruBlockCache* const cache = [] {
    auto* full = new LruBlockCache({.capacity_bytes = 256 << 20});
    for (uint64_t i = 0; i < kBlocks; ++i) {
      full->Insert({1, i}, BlockKind::kData,
                   std::make_shared<const std::string>(4096, 'x'));
    }
    return full;
  }();
  return *cache;
}

// Hits spread over all blocks.
void BM_HitsOnManyBlocks(benchmark::State& state) {
  BlockCache& cache = FullCache();
  uint64_t i = static_cast<uint64_t>(state.thread_index()) * 37;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        cache.Lookup({1, ++i % kBlocks}, BlockKind::kData));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_HitsOnManyBlocks)->Threads(1)->Threads(2)->UseRealTime();

// Hits of all threads on one block, as an index root has them.
void BM_HitsOnOneBlock(benchmark::State& state) {
  BlockCache& cache = FullCache();
  for (auto _ : state) {
    benchmark::DoNotOptimize(cache.Lookup({1, 7}, BlockKind::kData));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_HitsOnOneBlock)->Threads(1)->Threads(2)->UseRealTime();

// Every read misses and pushes another block out.
void BM_MissesOfAFullCache(benchmark::State& state) {
  LruBlockCache cache({.capacity_bytes = 1 << 20});
  uint64_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        cache.GetOrLoad({1, ++i}, BlockKind::kData, CacheFill::kFill,
                        [] { return std::string(4096, 'x'); }));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(BM_MissesOfAFullCache);

}  // namespace
}  // namespace shale
