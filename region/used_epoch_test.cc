#include "shale/region/used_epoch.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "shale/region/store_file_names.h"

namespace shale {
namespace {

constexpr char kRegion[] = "host/regions/00112233-4455-4677-8899-aabbccddeeff/";

TEST(UsedEpochTest, LogsAndStoreFilesCountAndOtherNamesDoNot) {
  StoreFileNames names(0x2a);
  const std::string store_file = kRegion + names.Next();
  const std::vector<FileListing::Entry> files = {
      {"host/wal/0000000000000007-0000000000000001.wal", 0},
      {store_file, 1},
      {"host/wal/ffff-0001.wal", 1},
      {"host/wal/0000000000000099-0000000000000001.wal.bak", 1},
      {"host/other/0000000000000099-0000000000000001.wal", 1},
      {std::string(kRegion) + "0000000000000099-0001.store", 1},
      {std::string(kRegion) + "x000000000000099-00000001.store", 1},
      {std::string(kRegion) + "+000000000000099-00000001.store", 1}};
  const UsedEpoch used = LargestUsedEpoch("host", files);
  EXPECT_EQ(used.epoch, 0x2au);
  EXPECT_EQ(used.file, store_file);
}

TEST(UsedEpochTest, ALogSegmentOfALaterOwnerIsAbove) {
  const std::vector<FileListing::Entry> files = {
      {std::string(kRegion) + "0000000000000001-00000001.store", 1},
      {"host/wal/ffffffffffffffff-0000000000000001.wal", 0}};
  EXPECT_EQ(LargestUsedEpoch("host", files).epoch, ~uint64_t{0});
  EXPECT_EQ(LargestUsedEpoch("host", files).file, files[1].name);
}

TEST(UsedEpochTest, WithoutFilesThereIsNone) {
  EXPECT_EQ(LargestUsedEpoch("host", {}).epoch, 0u);
  EXPECT_EQ(LargestUsedEpoch("host", {}).file, "");
}

}  // namespace
}  // namespace shale
