#include "shale/region/region_stores.h"

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/cache/lru_block_cache.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/storefile/testing/store_file_bytes.h"

namespace shale {
namespace {

TEST(RegionStoresTest, WhatAChangeFreesHoldsUpNobodyWhoLooks) {
  ThreadPoolExecutor executor(4, RealClock());
  MemoryFileSystem memory(executor);
  FaultyFileSystem files(memory, executor);
  LruBlockCache cache({.capacity_bytes = 1 << 20});
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Lease> lease,
                       AcquireLease(files, "host", "the test"));
  ASSERT_OK_AND_ASSIGN(const std::string bytes,
                       BuildStoreFile({}, {.family = "f"}));
  ASSERT_OK(WriteWholeFile(files, "host/f.store", bytes, lease->token()));
  const RegionFiles where{files, lease->token(), "host/", cache};
  std::vector<StoreFiles> of_families(1);
  ASSERT_OK_AND_ASSIGN(
      std::shared_ptr<StoreFile> file,
      StoreFile::Open(where, {"f.store", bytes.size(), "", ""}));
  of_families[0].push_back(std::move(file));
  RegionStores stores(std::move(of_families));

  // The last who holds the file is the view that the change replaces; the
  // removal of the file takes as long as the test likes.
  files.faults().Inject(
      {.op = FileOp::kRemove, .fault = {.effect = Fault::Effect::kHeld}});
  auto change = std::async(std::launch::async, [&stores] {
    stores.ReplaceOldest(0, StoreFiles((*stores.view())[0].files), nullptr);
  });
  files.faults().AwaitHeld(1);
  auto look = std::async(std::launch::async, [&stores] {
    return (*stores.view())[0].files.size();
  });
  EXPECT_EQ(look.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  files.faults().Release();
  change.get();
  EXPECT_EQ(look.get(), 0u);
}

}  // namespace
}  // namespace shale
