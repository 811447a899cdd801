#include "shale/region/region_stores.h"

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/testing/capturing_log_sink.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/cache/lru_block_cache.h"
#include "shale/cell/cell.h"
#include "shale/cell/write_number.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/region/manifest.h"
#include "shale/region/store_file_remover.h"
#include "shale/storefile/testing/store_file_bytes.h"

namespace shale {
namespace {

class RegionStoresTest : public testing::Test {
 protected:
  RegionStoresTest() {
    auto lease = AcquireLease(files_, "host", "the test");
    EXPECT_OK(lease);
    lease_ = *std::move(lease);
    remover_ =
        std::make_unique<StoreFileRemover>(files_, lease_->token(), log_);
    where_ = std::make_unique<RegionFiles>(
        RegionFiles{files_, lease_->token(), "host/", cache_, remover_.get()});
  }

  // Of a store file that nobody else holds.
  std::shared_ptr<StoreFile> MakeFile() {
    const auto bytes = BuildStoreFile({}, {.family = "f"});
    EXPECT_OK(bytes);
    EXPECT_OK(WriteWholeFile(files_, "host/f.store", *bytes, lease_->token()));
    auto file = StoreFile::Open(*where_, {"f.store", bytes->size(), "", ""});
    EXPECT_OK(file);
    return *std::move(file);
  }
  bool FileIsThere() { return OpenFile(files_, "host/f.store").ok(); }

  ThreadPoolExecutor executor_{1, RealClock()};
  MemoryFileSystem memory_{executor_};
  FaultyFileSystem files_{memory_, executor_};
  LruBlockCache cache_{{.capacity_bytes = 1 << 20}};
  CapturingLogSink log_;
  std::unique_ptr<Lease> lease_;
  std::unique_ptr<StoreFileRemover> remover_;
  std::unique_ptr<RegionFiles> where_;
};

TEST_F(RegionStoresTest, WhatAChangeFreesHoldsUpNobody) {
  std::vector<StoreFiles> of_families(1);
  of_families[0].push_back(MakeFile());
  RegionStores stores(std::move(of_families));

  // The last who holds the file is the view that the change replaces; the
  // removal of the file takes as long as the test likes.
  files_.faults().Inject(
      {.op = FileOp::kRemove, .fault = {.effect = Fault::Effect::kHeld}});
  auto change = std::async(std::launch::async, [&stores] {
    stores.ReplaceOldest(0, StoreFiles((*stores.view())[0].files), nullptr);
  });
  files_.faults().AwaitHeld(1);
  EXPECT_EQ(change.wait_for(std::chrono::seconds(20)),
            std::future_status::ready);
  EXPECT_TRUE((*stores.view())[0].files.empty());
  EXPECT_TRUE(FileIsThere());
  files_.faults().Release();
  change.get();
  remover_->Drain();
  EXPECT_FALSE(FileIsThere());
}

TEST_F(RegionStoresTest, AFileMayBeLetGoByTheThreadThatWouldRemoveIt) {
  std::shared_ptr<StoreFile> file = MakeFile();
  file->MarkObsolete();
  absl::Notification let_go;
  executor_.Schedule([&] {
    file.reset();
    let_go.Notify();
  });
  ASSERT_TRUE(let_go.WaitForNotificationWithTimeout(absl::Seconds(20)));
  remover_->Drain();
  EXPECT_FALSE(FileIsThere());
}

TEST_F(RegionStoresTest, AFileThatCannotBeRemovedIsLogged) {
  files_.faults().Inject({.op = FileOp::kRemove});
  {
    const std::shared_ptr<StoreFile> file = MakeFile();
    file->MarkObsolete();
  }
  remover_->Drain();
  EXPECT_TRUE(FileIsThere());
  EXPECT_THAT(log_.lines(),
              testing::Contains(testing::HasSubstr("host/f.store")));
}

// To count on from them would end at 0 again.
TEST_F(RegionStoresTest, AFileWithNumbersThatNobodyMintsIsRefused) {
  Manifest manifest;
  ManifestFamily& family = manifest.families.emplace_back();
  family.options.name = "f";
  for (const uint64_t below : {1, 0}) {
    Cell cell;
    cell.row = "r";
    cell.family = "f";
    cell.number = {kWriteNumberLimit.value - below};
    ASSERT_OK_AND_ASSIGN(const std::string bytes,
                         BuildStoreFile({cell}, {.family = "f"}));
    const std::string name = absl::StrCat(below, ".store");
    ASSERT_OK(WriteWholeFile(files_, absl::StrCat("host/", name), bytes,
                             lease_->token()));
    family.files = {{name, bytes.size(), "", ""}};
    const absl::Status opened = OpenStoreFiles(*where_, manifest).status();
    if (below > 0) {
      EXPECT_OK(opened);
    } else {
      EXPECT_THAT(opened, StatusIs(absl::StatusCode::kDataLoss,
                                   testing::HasSubstr("host/0.store")));
    }
  }
}

}  // namespace
}  // namespace shale
