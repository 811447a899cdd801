#include "shale/region/host_metadata.h"

#include <memory>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/base/uuid.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/region/host_layout.h"
#include "shale/region/manifest_store.h"

namespace shale {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class HostMetadataTest : public testing::Test {
 protected:
  HostMetadataTest() {
    auto lease = AcquireLease(files_, "h", "the test");
    EXPECT_OK(lease);
    lease_ = *std::move(lease);
  }

  // Puts the manifest of `region` where that of `at` belongs.
  void PutManifest(const Catalog::Entry& at, const Catalog::Entry& region) {
    Manifest manifest;
    manifest.name = region.name;
    manifest.incarnation = region.incarnation;
    manifest.families.emplace_back().options.name = "f";
    ASSERT_OK(ManifestStore::Create(
        files_, lease_->token(),
        ManifestName(RegionDirectory("h", at.incarnation)), manifest));
  }

  const Catalog::Entry a_{"a", Uuid::Generate()};
  const Catalog::Entry b_{"b", Uuid::Generate()};
  ThreadPoolExecutor executor_{1, RealClock()};
  MemoryFileSystem files_{executor_};
  std::unique_ptr<Lease> lease_;
};

TEST_F(HostMetadataTest, WithoutAnyFileThereIsNoHost) {
  EXPECT_THAT(ReadCatalog(files_, "h"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("no catalog")));
}

TEST_F(HostMetadataTest, ACatalogThatIsGoneIsALossWhereOtherFilesAre) {
  ASSERT_OK(WriteWholeFile(files_, "h/wal/1", "", lease_->token()));
  EXPECT_THAT(ReadCatalog(files_, "h"),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr("h/catalog"), HasSubstr("h/wal/1"))));
}

TEST_F(HostMetadataTest, TheManifestThatTheCatalogNamesIsRead) {
  PutManifest(a_, a_);
  ASSERT_OK_AND_ASSIGN(const Manifest manifest, ReadManifest(files_, "h", a_));
  EXPECT_EQ(manifest.name, "a");
}

TEST_F(HostMetadataTest, AManifestThatIsGoneIsALoss) {
  EXPECT_THAT(ReadManifest(files_, "h", a_),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("missing")));
}

TEST_F(HostMetadataTest, AnotherRegionsManifestIsALoss) {
  PutManifest(a_, b_);
  EXPECT_THAT(ReadManifest(files_, "h", a_),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(a_.incarnation.ToString()),
                             HasSubstr(b_.incarnation.ToString()))));
}

}  // namespace
}  // namespace shale
