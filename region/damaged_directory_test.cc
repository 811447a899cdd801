// A host's directory on disk, damaged, and then opened to be written: what open
// checks (region_host.h) is found before anything is changed, and named by file
// and offset; damage within a block is found by the first read of it.
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/status_macros.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/filesystem/testing/temp_directory.h"
#include "shale/region/local_host.h"
#include "shale/region/testing/newer_version.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr char kRows[] = "a/f:q@1=v\nb/f:q@1=v\nc/f:q@1=v\n";

class DamagedDirectoryTest : public testing::Test {
 protected:
  // Three store files and a log, all closed.
  void SetUp() override {
    {
      ASSERT_OK_AND_ASSIGN(const auto local, LocalHost::Open(good(), {}));
      ASSERT_OK(local->host().CreateRegion(TestHost::Schema()));
      for (const char* row : {"a", "b", "c"}) {
        ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Region> region,
                             local->host().OpenRegion("r"));
        ASSERT_OK(region->Apply(RowMutation(row).Put("f", "q", "v", 1)));
        ASSERT_OK(region->Close());
      }
      ASSERT_OK(local->host().Close());
    }
    for (const auto& entry : fs::recursive_directory_iterator(good())) {
      if (!entry.is_regular_file()) continue;
      const std::string name = fs::relative(entry.path(), good()).string();
      if (absl::EndsWith(name, ".wal")) log_ = name;
      if (absl::EndsWith(name, ".store")) store_file_ = name;
      if (absl::EndsWith(name, "/manifest")) manifest_ = name;
    }
  }

  std::string good() const { return directory_.path() + "/good"; }
  std::string damaged() const { return directory_.path() + "/damaged"; }

  static std::string Read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }

  // A copy of the good directory with `bytes` in the place of one file's.
  void Damage(const std::string& name, const std::string& bytes) {
    Copy();
    const fs::path path = damaged() + "/" + name;
    fs::permissions(path, fs::perms::owner_write, fs::perm_options::add);
    std::ofstream(path, std::ios::binary) << bytes;
  }

  void Copy() {
    fs::remove_all(damaged());
    fs::copy(good(), damaged(), fs::copy_options::recursive);
  }

  // Opens the copy to write, and reads all; gives the first error. If it
  // doesn't open, not even a time of change is another.
  absl::Status OpenToWrite(bool* opened = nullptr) {
    const auto before = directory_.Snapshot();
    absl::StatusOr<std::unique_ptr<LocalHost>> local =
        LocalHost::Open(damaged(), {});
    if (opened != nullptr) *opened = local.ok();
    if (!local.ok()) {
      EXPECT_EQ(directory_.Snapshot(), before) << local.status();
      return local.status();
    }
    SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<Region> region,
                           (*local)->host().OpenRegion("r"));
    SHALE_RETURN_IF_ERROR(region->Verify({}));
    EXPECT_EQ(ScanText(*region), kRows);
    EXPECT_OK(region->Close());
    return absl::OkStatus();
  }

  // One byte in `step` of the first `end`, flipped, and every damage refused.
  void FlipBytes(const std::string& name, size_t end, size_t step) {
    const std::string bytes = Read(good() + "/" + name);
    for (size_t i = 0; i < end; i += step) {
      std::string bad = bytes;
      bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
      Damage(name, bad);
      const absl::Status status = OpenToWrite();
      ASSERT_FALSE(status.ok()) << name << " byte " << i;
      // A flipped version is told as one that this build doesn't know.
      EXPECT_TRUE(absl::IsDataLoss(status) ||
                  absl::IsFailedPrecondition(status))
          << status;
      EXPECT_THAT(status.message(), AllOf(HasSubstr(damaged()), HasSubstr(name),
                                          HasSubstr("offset")))
          << "byte " << i;
    }
  }

  const TempDirectory directory_;
  const std::string owner_ = "host/.meta/.owner";
  const std::string catalog_ = "host/.meta/catalog";
  const std::string closed_ = "host/.meta/closed";
  std::string manifest_;
  std::string log_;
  std::string store_file_;
};

TEST_F(DamagedDirectoryTest, UndamagedItOpens) {
  Copy();
  EXPECT_OK(OpenToWrite());
  // And what was written opens again.
  EXPECT_OK(OpenToWrite());
}

TEST_F(DamagedDirectoryTest, FlippedByteOfMetadataIsFoundBeforeAnyWrite) {
  for (const std::string& name : {owner_, catalog_, closed_, manifest_}) {
    FlipBytes(name, Read(good() + "/" + name).size(), 5);
  }
}

TEST_F(DamagedDirectoryTest, FlippedByteOfTheLogIsFoundBeforeAnyWrite) {
  FlipBytes(log_, Read(good() + "/" + log_).size(), 13);
}

TEST_F(DamagedDirectoryTest, FlippedByteOfAStoreFileIsFoundByOpenOrByReading) {
  const std::string bytes = Read(good() + "/" + store_file_);
  int by_open = 0, by_reading = 0;
  for (size_t i = 0; i < bytes.size(); i += 13) {
    std::string bad = bytes;
    bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
    Damage(store_file_, bad);
    bool opened = false;
    EXPECT_THAT(OpenToWrite(&opened),
                StatusIs(absl::StatusCode::kDataLoss,
                         AllOf(HasSubstr(store_file_), HasSubstr("offset"))))
        << "byte " << i;
    ++(opened ? by_reading : by_open);
  }
  EXPECT_GT(by_open, 0);
  EXPECT_GT(by_reading, 0);
}

TEST_F(DamagedDirectoryTest, CutFileIsFoundBeforeAnyWrite) {
  for (const std::string& name :
       {owner_, catalog_, closed_, manifest_, store_file_}) {
    const std::string bytes = Read(good() + "/" + name);
    for (const size_t length :
         {size_t{0}, bytes.size() / 2, bytes.size() - 1}) {
      Damage(name, bytes.substr(0, length));
      EXPECT_THAT(OpenToWrite(),
                  StatusIs(absl::StatusCode::kDataLoss,
                           AllOf(HasSubstr(damaged()), HasSubstr(name),
                                 HasSubstr("offset"))))
          << "length " << length;
    }
  }
}

TEST_F(DamagedDirectoryTest, CutLogIsFoundBeforeAnyWrite) {
  const std::string bytes = Read(good() + "/" + log_);
  for (size_t length = 0; length < bytes.size(); length += 40) {
    Damage(log_, bytes.substr(0, length));
    EXPECT_THAT(OpenToWrite(), StatusIs(absl::StatusCode::kDataLoss,
                                        AllOf(HasSubstr(damaged()),
                                              HasSubstr("closed the host"))))
        << "length " << length;
  }
}

TEST_F(DamagedDirectoryTest, MissingFileIsFoundBeforeAnyWrite) {
  for (const std::string& name : {catalog_, manifest_, store_file_}) {
    Copy();
    fs::remove(damaged() + "/" + name);
    EXPECT_THAT(OpenToWrite(),
                StatusIs(absl::StatusCode::kDataLoss,
                         AllOf(HasSubstr(damaged()), HasSubstr(name))));
  }
}

TEST_F(DamagedDirectoryTest, MissingLogIsFoundBeforeAnyWrite) {
  Copy();
  fs::remove(damaged() + "/" + log_);
  EXPECT_THAT(OpenToWrite(),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr("there is no log"), HasSubstr("r"))));
}

TEST_F(DamagedDirectoryTest, NewerVersionIsRefusedBeforeAnyWrite) {
  struct Newer {
    std::string name;
    std::string (*make)(std::string bytes);
    std::string said;
  };
  for (const Newer& newer : std::vector<Newer>{
           {log_, NewerSegment, "version 2, want 1"},
           {store_file_, NewerStoreFile, "version 2, this build reads "},
           {owner_, NewerMetaObject, "version at offset 8 is 2"},
           {catalog_, NewerMetaObject, "version at offset 8 is 2"},
           {catalog_, NewerMetadata, "version at offset 36 is 2"},
           {closed_, NewerMetadata, "version at offset 36 is 2"},
           {manifest_, NewerMetadata, "version at offset 36 is 4"}}) {
    Damage(newer.name, newer.make(Read(good() + "/" + newer.name)));
    bool opened = true;
    EXPECT_THAT(OpenToWrite(&opened),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr(newer.name), HasSubstr(newer.said))));
    EXPECT_FALSE(opened) << newer.name;
  }
}

TEST_F(DamagedDirectoryTest, NothingIsMadeWhereThereIsNoHost) {
  fs::create_directory(damaged());
  HostOptions options;
  options.create_if_missing = false;
  const auto before = directory_.Snapshot();
  EXPECT_THAT(LocalHost::Open(damaged(), options),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_EQ(directory_.Snapshot(), before);
}

TEST_F(DamagedDirectoryTest, LostOwnerObjectIsMadeAgainAboveAllNames) {
  Copy();
  fs::remove(damaged() + "/" + owner_);
  EXPECT_OK(OpenToWrite());
  EXPECT_TRUE(fs::exists(damaged() + "/" + owner_));
  EXPECT_OK(OpenToWrite());
}

// Or the owner's record was put back, and perhaps a manifest with it: whoever
// writes then removes files that the newer one named.
TEST_F(DamagedDirectoryTest, AFileOfAnOwnerAfterTheLastOnRecordIsRefused) {
  const std::string region =
      fs::path(manifest_).parent_path().parent_path().string();
  for (const std::string& stray :
       {std::string("host/wal/ffffffffffffff00-0000000000000001.wal"),
        std::string("host/wal/0000000000001000-0000000000000002.wal"),
        region + "/0000000000001000-00000001.store"}) {
    Copy();
    std::ofstream(damaged() + "/" + stray) << "of another host";
    const auto before = directory_.Snapshot();
    for (int i = 0; i < 2; ++i) {
      EXPECT_THAT(OpenToWrite(),
                  StatusIs(absl::StatusCode::kDataLoss,
                           AllOf(HasSubstr(stray), HasSubstr("on record is"))));
    }
    EXPECT_EQ(directory_.Snapshot(), before);
  }
}

// Without a record there is nothing to doubt: an epoch that is new will do.
TEST_F(DamagedDirectoryTest, StraySegmentIsPassedOverIfNoOwnerIsOnRecord) {
  Copy();
  fs::remove(damaged() + "/" + owner_);
  const std::string stray =
      damaged() + "/host/wal/0000000000001000-0000000000000002.wal";
  std::ofstream(stray) << "not a segment";
  EXPECT_OK(OpenToWrite());
  // Recovery removes what is no part of the log, and what came after counts.
  EXPECT_FALSE(fs::exists(stray));
  EXPECT_OK(OpenToWrite());
}

TEST_F(DamagedDirectoryTest, WhatIsNoStoreFileIsLeftAlone) {
  Copy();
  const std::string region =
      fs::path(manifest_).parent_path().parent_path().string();
  const std::string notes = absl::StrCat(damaged(), "/", region, "/notes.txt");
  std::ofstream(notes) << "somebody's";
  EXPECT_OK(OpenToWrite());
  EXPECT_TRUE(fs::exists(notes));
}

TEST_F(DamagedDirectoryTest, StrayStoreFileOfALaterEpochKeepsItsName) {
  Copy();
  const std::string stray = absl::StrCat(
      damaged(), "/", fs::path(manifest_).parent_path().parent_path().string(),
      "/00000000000000aa-00000001.store");
  std::ofstream(stray) << "left by an owner of that epoch";
  fs::remove(damaged() + "/" + owner_);
  EXPECT_OK(OpenToWrite());  // Removes it, and uses no name of its epoch.
  EXPECT_FALSE(fs::exists(stray));
  bool later = false;
  for (const auto& entry : fs::directory_iterator(damaged() + "/host/wal")) {
    later |= entry.path().filename().string() > "00000000000000aa";
  }
  EXPECT_TRUE(later);
}

TEST_F(DamagedDirectoryTest, NameWithTheLargestEpochIsRefused) {
  Copy();
  const std::string stray = "host/wal/ffffffffffffffff-0000000000000001.wal";
  std::ofstream(damaged() + "/" + stray) << "";
  EXPECT_THAT(OpenToWrite(),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(stray), HasSubstr("largest epoch"))));
}

}  // namespace
}  // namespace shale
