// What reading makes of a log whose files are damaged. One damage per test.
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/wal/log_scan.h"
#include "shale/wal/read_wal.h"
#include "shale/wal/record_codec.h"
#include "shale/wal/segment_header.h"
#include "shale/wal/testing/log_harness.h"

namespace shale {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

using Payloads = std::vector<std::string>;

bool IsPrefix(const Payloads& some, const Payloads& all) {
  return some.size() <= all.size() &&
         std::equal(some.begin(), some.end(), all.begin());
}

// A log of three segments with two entries each, closed.
class DamagedLogTest : public testing::Test {
 protected:
  DamagedLogTest() {
    EXPECT_OK(log_.Open());
    for (int i = 0; i < 6; ++i) {
      written_.push_back(absl::StrCat("entry ", i));
      EXPECT_OK(log_.Write(written_.back()));
      if (i % 2 == 1 && i < 5) {
        EXPECT_OK(log_.Roll());
      }
    }
    EXPECT_OK(log_.Close());
    snapshot_ = log_.Snapshot();
    for (const auto& [name, bytes] : snapshot_) names_.push_back(name);
    EXPECT_THAT(names_, SizeIs(3));
  }

  absl::StatusOr<Payloads> Read() {
    CollectingSink sink;
    absl::Status status =
        ReadWal(log_.files(), LogHarness::kDirectory, sink, nullptr);
    if (!status.ok()) return status;
    return sink.payloads;
  }
  // Reads with these bytes in the place of a file's, then puts those back.
  absl::StatusOr<Payloads> ReadWith(const std::string& name,
                                    const std::string& bytes) {
    log_.WriteBytes(name, bytes);
    const absl::StatusOr<Payloads> read = Read();
    log_.WriteBytes(name, snapshot_[name]);
    return read;
  }

  LogHarness log_{*AllVariants().front()};
  Payloads written_;
  std::map<std::string, std::string> snapshot_;
  std::vector<std::string> names_;
};

TEST_F(DamagedLogTest, EveryFlippedByteBelowTheLastVouchIsNamed) {
  ASSERT_THAT(Read(), IsOkAndHolds(written_));
  for (const std::string& name : names_) {
    // Nothing vouches for the covering record at the very end.
    const size_t vouched =
        snapshot_[name].size() - (name == names_.back() ? RecordBytes(0) : 0);
    for (size_t i = 0; i < vouched; ++i) {
      for (const int flip : {1 << (i % 8), 0xff}) {
        std::string bytes = snapshot_[name];
        bytes[i] = static_cast<char>(bytes[i] ^ flip);
        const absl::StatusOr<Payloads> read = ReadWith(name, bytes);
        ASSERT_THAT(read,
                    StatusIs(absl::StatusCode::kDataLoss, HasSubstr(name)))
            << "byte " << i;
        EXPECT_TRUE(absl::StrContains(read.status().message(), "offset") ||
                    i < kSegmentHeaderBytes)
            << read.status();
      }
    }
  }
}

TEST_F(DamagedLogTest, AFlippedByteInTheVouchingRecordLosesNoEntry) {
  const std::string& name = names_.back();
  const size_t size = snapshot_[name].size();
  for (size_t i = size - RecordBytes(0); i < size; ++i) {
    std::string bytes = snapshot_[name];
    bytes[i] = static_cast<char>(bytes[i] ^ 0x10);
    EXPECT_THAT(ReadWith(name, bytes), IsOkAndHolds(written_)) << i;
  }
}

TEST_F(DamagedLogTest, ACutMiddleSegmentIsNamedWhereverItIsCut) {  // B005.
  for (const std::string& name : {names_[0], names_[1]}) {
    for (size_t size = 0; size < snapshot_[name].size(); ++size) {
      EXPECT_THAT(ReadWith(name, snapshot_[name].substr(0, size)),
                  StatusIs(absl::StatusCode::kDataLoss, HasSubstr(name)))
          << size;
    }
  }
}

TEST_F(DamagedLogTest, ACutNewestSegmentEndsTheLogCleanly) {
  const std::string& name = names_.back();
  size_t entries = 4;
  for (size_t size = 0; size < snapshot_[name].size(); ++size) {
    const auto read = ReadWith(name, snapshot_[name].substr(0, size));
    ASSERT_OK(read);
    EXPECT_TRUE(IsPrefix(*read, written_)) << size;
    EXPECT_GE(read->size(), entries) << size;
    entries = read->size();
  }
  EXPECT_EQ(entries, written_.size());
}

TEST_F(DamagedLogTest, AMissingSegmentIsNamed) {  // B007.
  for (const std::string& name : {names_[0], names_[1]}) {
    log_.RemoveFile(name);
    EXPECT_THAT(Read(), StatusIs(absl::StatusCode::kDataLoss,
                                 AllOf(HasSubstr(name), HasSubstr("missing"))));
    log_.WriteBytes(name, snapshot_[name]);
  }
}

TEST_F(DamagedLogTest, WithoutTheNewestSegmentThereIsAPrefix) {
  log_.RemoveFile(names_[2]);
  EXPECT_THAT(Read(),
              IsOkAndHolds(Payloads(written_.begin(), written_.begin() + 4)));
}

// B013: as a crash just after its creation leaves it.
TEST_F(DamagedLogTest, AnEmptyOrHalfHeaderNewestSegmentIsPassedOver) {
  const std::string ahead = SegmentName(
      LogHarness::kDirectory,
      {ParseSegmentName(LogHarness::kDirectory, names_[0])->epoch, 9});
  for (const size_t size : {0, 1, 16, 50, 103}) {
    log_.WriteBytes(ahead, snapshot_[names_[2]].substr(0, size));
    EXPECT_THAT(Read(), IsOkAndHolds(written_)) << size;
    ASSERT_OK(log_.Open());
    EXPECT_EQ(log_.replayed().payloads, written_);
    EXPECT_THAT(log_.report().ignored_files, ElementsAre(ahead));
    EXPECT_EQ(log_.report().torn_bytes, static_cast<int64_t>(size));
    ASSERT_OK(log_.Close());
    log_.Restore(snapshot_);
  }
}

TEST_F(DamagedLogTest, AnEmptyOrHalfHeaderOlderSegmentIsCorruption) {  // B013.
  for (const size_t size : {0, 50}) {
    EXPECT_THAT(ReadWith(names_[1], snapshot_[names_[1]].substr(0, size)),
                StatusIs(absl::StatusCode::kDataLoss,
                         HasSubstr(absl::StrCat(size, " bytes, want 104"))));
  }
}

TEST_F(DamagedLogTest, ATailOfZerosIsNoRecord) {  // B014.
  for (const size_t zeros : {1, 7, 8, 95, 96, 97, 4096, 65536}) {
    const std::string bytes = snapshot_[names_[2]] + std::string(zeros, '\0');
    EXPECT_THAT(ReadWith(names_[2], bytes), IsOkAndHolds(written_)) << zeros;
  }
}

TEST_F(DamagedLogTest, WhatFollowsASealIsNotRead) {
  const std::string more = snapshot_[names_[2]].substr(kSegmentHeaderBytes);
  EXPECT_THAT(ReadWith(names_[1], snapshot_[names_[1]] + more),
              IsOkAndHolds(written_));
  EXPECT_THAT(ReadWith(names_[1], snapshot_[names_[1]] + "junk"),
              IsOkAndHolds(written_));
}

// Blocks of a removed segment may come to light again at the end of a new one.
TEST_F(DamagedLogTest, ARecordAtAnotherPositionIsNotReplayed) {
  const std::string stale = snapshot_[names_[0]].substr(kSegmentHeaderBytes);
  EXPECT_THAT(ReadWith(names_[2], snapshot_[names_[2]] + stale),
              IsOkAndHolds(written_));
}

TEST_F(DamagedLogTest, ARenamedSegmentIsNotTakenForAnother) {
  EXPECT_THAT(ReadWith(names_[1], snapshot_[names_[0]]),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(names_[1]), HasSubstr("says that it"))));
}

TEST_F(DamagedLogTest, AnyOrderOfTheListingGivesTheSame) {  // B008.
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    log_.files().ShuffleListings(seed);
    EXPECT_THAT(Read(), IsOkAndHolds(written_)) << seed;
  }
}

TEST_F(DamagedLogTest, AnotherVersionIsNamedAndNothingIsWritten) {
  std::string bytes = snapshot_[names_[2]];
  EncodeFixed32(&bytes[8], 2);
  EncodeFixed32(&bytes[12], Crc32c(bytes.substr(0, 12)));
  log_.WriteBytes(names_[2], bytes);
  const auto before = log_.Snapshot();
  EXPECT_THAT(log_.Open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                    AllOf(HasSubstr(names_[2]),
                                          HasSubstr("version 2, want 1"))));
  EXPECT_EQ(log_.Snapshot(), before);
}

TEST_F(DamagedLogTest, DamageChangesNothingOnDisk) {
  std::string bytes = snapshot_[names_[1]];
  bytes[kSegmentHeaderBytes] ^= 1;
  log_.WriteBytes(names_[1], bytes);
  const auto before = log_.Snapshot();
  EXPECT_THAT(log_.Open(), StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_EQ(log_.Snapshot(), before);
}

TEST_F(DamagedLogTest, ReadingChangesNothingOnDisk) {  // B035.
  EXPECT_THAT(Read(), IsOkAndHolds(written_));
  EXPECT_EQ(log_.Snapshot(), snapshot_);
}

TEST_F(DamagedLogTest, ARecordThatNobodyCanUnderstandIsCorruption) {
  std::string bytes = snapshot_[names_[2]];
  const size_t at = bytes.size() - RecordBytes(0);
  bytes[at + 92] = 99;
  EncodeFixed32(&bytes[at], Crc32c(absl::string_view(bytes).substr(at + 4)));
  EXPECT_THAT(ReadWith(names_[2], bytes),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(absl::StrCat("offset ", at)),
                             HasSubstr("unknown type 99"))));
}

// B010: restored from a backup, say.
TEST_F(DamagedLogTest, SegmentsOfAnOlderGenerationAreIgnoredAndRemoved) {
  ASSERT_OK(log_.Open());
  ASSERT_OK(log_.Write("newer"));
  ASSERT_OK(log_.Close());
  log_.WriteBytes(names_[1], snapshot_[names_[1]]);
  written_.push_back("newer");
  EXPECT_THAT(Read(), IsOkAndHolds(written_));
  ASSERT_OK(log_.Open());
  EXPECT_EQ(log_.replayed().payloads, written_);
  EXPECT_THAT(log_.report().ignored_files, ElementsAre(names_[1]));
  for (const std::string& name : log_.Segments()) EXPECT_NE(name, names_[1]);
}

// The marker's generation was the log, since the one before it is gone.
TEST_F(DamagedLogTest, ALostRecoveredMarkerIsCorruption) {
  ASSERT_OK(log_.Open());
  log_.Kill();
  const std::string name = log_.Segments().front();
  const std::string bytes = log_.ReadBytes(name);
  // The marker and the record that vouches for it, in one lost page.
  const size_t cut = bytes.size() - 2 * RecordBytes(0);
  log_.WriteBytes(name, bytes.substr(0, cut) + std::string(4096, '\0'));
  EXPECT_THAT(Read(), StatusIs(absl::StatusCode::kDataLoss,
                               AllOf(HasSubstr(name),
                                     HasSubstr("no recovered marker"))));
}

TEST_F(DamagedLogTest, AFlippedByteFarFromTheEndIsFound) {  // B002.
  ASSERT_OK(log_.Open());
  for (int i = 0; i < 1000; ++i) {
    ASSERT_OK(log_.Write(absl::StrCat("put ", i)));
  }
  ASSERT_OK(log_.Roll());
  log_.Kill();  // Without a covering record.
  const std::string name = log_.Segments().front();
  std::string bytes = log_.ReadBytes(name);
  const size_t offset = bytes.find("put 500");
  bytes[offset] ^= 1;
  log_.WriteBytes(name, bytes);
  EXPECT_THAT(log_.Open(),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(name), HasSubstr("crc32c"),
                             HasSubstr(absl::StrCat(
                                 "offset ", offset - kRecordHeaderBytes)))));
}

// The search for a later record that vouches for damage meets whatever users
// put into their values: here the beginnings of records of 4 MiB, one every 16
// bytes. To check all of their checksums would take minutes.
TEST_F(DamagedLogTest, AValueFullOfRecordHeadersDoesNotHoldUpTheSearch) {
  ASSERT_OK(log_.Open());
  ASSERT_OK_AND_ASSIGN(const LogScan scan,
                       LogScan::Open(log_.files(), LogHarness::kDirectory));
  std::string head(16, '\0');
  EncodeFixed32(&head[4], 4 << 20);
  EncodeFixed64(&head[8], scan.epoch());
  std::string value;
  while (value.size() < 8 << 20) value += head;
  ASSERT_OK(log_.Write(value));
  ASSERT_OK(log_.Close());
  const std::string name = log_.Segments().back();
  std::string bytes = log_.ReadBytes(name);
  bytes[bytes.size() / 2] ^= 1;
  log_.WriteBytes(name, bytes);
  EXPECT_THAT(Read(), StatusIs(absl::StatusCode::kDataLoss,
                               AllOf(HasSubstr(name), HasSubstr("offset"))));
}

}  // namespace
}  // namespace shale
