// Store files of which the manifest says that only some rows count.
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/status_macros.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/cell/cell.h"
#include "shale/filesystem/blocking.h"
#include "shale/region/catalog.h"
#include "shale/region/manifest_store.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

using ::testing::HasSubstr;

// Lets only the rows from `low` to before `high` count of family f's newest
// file. The host is closed.
absl::Status Bound(FileSystem& files, absl::string_view low,
                   absl::string_view high) {
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<Lease> lease,
                         AcquireLease(files, "host", "the test"));
  SHALE_ASSIGN_OR_RETURN(const Catalog catalog, Catalog::Open(files, "host"));
  const std::string incarnation =
      catalog.entries().front().incarnation.ToString();
  SHALE_ASSIGN_OR_RETURN(
      const std::unique_ptr<ManifestStore> store,
      ManifestStore::Open(
          files, lease->token(), RealClock(),
          absl::StrCat("host/regions/", incarnation, "/manifest")));
  return store->Update([&](Manifest& manifest) {
    ManifestFile& file = manifest.families[0].files.front();
    file.low = std::string(low);
    file.high = std::string(high);
  });
}

// Rows a to d in a file, b and c of which count.
class FileBoundsTest : public testing::Test {
 protected:
  FileBoundsTest() {
    for (const char* row : {"a", "b", "c", "d"}) {
      EXPECT_OK(test_.region().Apply(RowMutation(row).Put("f", "q", "old", 1)));
    }
    Rebound("b", "d");
  }

  void Rebound(absl::string_view low, absl::string_view high) {
    EXPECT_OK(test_.Close());
    EXPECT_OK(Bound(test_.files(), low, high));
    EXPECT_OK(test_.Open());
  }

  TestHost test_;
};

TEST_F(FileBoundsTest, RowsOutsideAFilesBoundsDoNotCount) {
  EXPECT_EQ(ScanText(test_.region()), "b/f:q@1=old\nc/f:q@1=old\n");
  EXPECT_EQ(ReadText(test_.region(), "a"), "");
  EXPECT_EQ(ReadText(test_.region(), "b"), "b/f:q@1=old");
  EXPECT_EQ(ReadText(test_.region(), "d"), "");
  Scan scan;
  scan.start_row = "c";
  EXPECT_EQ(ScanText(test_.region(), scan), "c/f:q@1=old\n");
}

TEST_F(FileBoundsTest, ACompactionDropsTheRowsOutsideForGood) {
  ASSERT_OK(test_.region().Compact().status());
  EXPECT_EQ(test_.region().Stats().families[0].file_cells, 2);
  EXPECT_EQ(ScanText(test_.region()), "b/f:q@1=old\nc/f:q@1=old\n");
  test_.Reopen();
  EXPECT_EQ(ScanText(test_.region()), "b/f:q@1=old\nc/f:q@1=old\n");
}

TEST_F(FileBoundsTest, AMarkerOutsideHidesNothing) {
  ASSERT_OK(test_.region().Apply(RowMutation("b").DeleteRow()));
  ASSERT_OK(test_.region().Apply(RowMutation("c").DeleteRow()));
  Rebound("c", "");
  EXPECT_EQ(ScanText(test_.region()), "b/f:q@1=old\n");
  ASSERT_OK(test_.region().Compact().status());
  EXPECT_EQ(ScanText(test_.region()), "b/f:q@1=old\n");
}

TEST_F(FileBoundsTest, AnIncrementStartsFromNothingOutside) {
  ASSERT_OK(test_.region().Apply(
      RowMutation("a").Put("f", "n", std::string(7, '\0') + "\x05")));
  Rebound("b", "");
  ASSERT_OK(test_.region().Increment(Increment("a").Add("f", "n", 1)).status);
  EXPECT_EQ(ReadText(test_.region(), "a", {}, /*timestamps=*/false),
            absl::StrCat("a/f:n=", std::string(7, '\0') + "\x01"));
}

TEST_F(FileBoundsTest, ABoundThatIsNoRowIsRefused) {
  ASSERT_OK(test_.Close());
  ASSERT_OK(Bound(test_.files(), std::string(kMaxRowBytes + 1, 'b'), ""));
  EXPECT_THAT(test_.Open(), StatusIs(absl::StatusCode::kDataLoss,
                                     HasSubstr("a row of 32768 bytes")));
}

}  // namespace
}  // namespace shale
