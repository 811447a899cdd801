// The format of docs/formats/wal.md, pinned by golden files.
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/coding.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_list_codec.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/wal/log_scan.h"
#include "shale/wal/record_codec.h"
#include "shale/wal/segment_header.h"
#include "shale/wal/segment_name.h"

namespace shale {
namespace {

using testing::ElementsAre;

constexpr uint64_t kStart = 4096;

// Builds a segment of the generation that the golden files hold.
class SegmentBuilder {
 public:
  explicit SegmentBuilder(const SegmentHeader& header)
      : header_(header),
        position_(header.first),
        bytes_(EncodeSegmentHeader(header)) {}

  SegmentBuilder& Add(const LogEntry& entry, LogPosition durable_to) {
    std::string record = EncodeRecord(entry);
    position_.value += record.size();
    StampRecord({header_.id.epoch, position_, durable_to}, &record);
    bytes_ += record;
    return *this;
  }
  SegmentBuilder& AddMarker(LogEntryType type, LogPosition durable_to,
                            absl::string_view payload = "") {
    LogEntry marker;
    marker.type = type;
    marker.payload = payload;
    return Add(marker, durable_to);
  }

  LogPosition position() const { return position_; }
  const std::string& bytes() const { return bytes_; }

 private:
  const SegmentHeader header_;
  LogPosition position_;
  std::string bytes_;
};

// The put of one cell.
LogEntry SampleEntry(const std::string& payload) {
  LogEntry entry;
  for (uint8_t i = 0; i < Uuid::kBytes; ++i) entry.region.bytes[i] = i;
  entry.range = {{100}, {100}};
  entry.commit_timestamp = 1700000000000000;
  entry.nonce = {0x1111, 0x2222};
  entry.families = 1;
  entry.payload = payload;
  return entry;
}

std::string SamplePayload() {
  const Cell cell(CellView{.row = "row1",
                           .family = "f",
                           .qualifier = "q1",
                           .timestamp = 1700000000000000,
                           .number = {100},
                           .value = "value"});
  std::string payload;
  AppendCellList({cell.view()}, {100}, &payload);
  return payload;
}

SegmentHeader FirstHeader() {
  return {.id = {2, 1},
          .first = {kStart},
          .generation_start = {kStart},
          .kept_from = {kStart},
          .recovered_at = kLogStart,
          .source_epoch = 1,
          .predecessor = 0,
          .predecessor_bytes = 0,
          .created = absl::FromUnixMicros(1700000000000000)};
}

std::vector<std::string> BuildSample() {
  SegmentBuilder first(FirstHeader());
  first.Add(SampleEntry(SamplePayload()), {kStart});
  first.AddMarker(LogEntryType::kRecovered, first.position());
  const LogPosition recovered = first.position();
  first.AddMarker(LogEntryType::kCovering, recovered);

  SegmentHeader header = FirstHeader();
  header.id.counter = 2;
  header.first = first.position();
  header.recovered_at = recovered;
  header.predecessor = 1;
  header.predecessor_bytes = first.bytes().size();
  header.created += absl::Seconds(1);
  SegmentBuilder second(header);
  LogEntry entry = SampleEntry("");
  entry.type = LogEntryType::kFlushCommit;
  entry.range = {{101}, {103}};
  second.Add(entry, second.position());
  std::string kept_from;
  PutFixed64(&kept_from, header.first.value);
  second.AddMarker(LogEntryType::kTrimmed, second.position(), kept_from);
  second.AddMarker(LogEntryType::kCovering, second.position());
  return {first.bytes(), second.bytes()};
}

std::string Golden(absl::string_view name) {
  std::ifstream file(absl::StrCat("wal/testdata/", name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(WalFormatTest, TheGoldenFilesAreWhatIsWrittenToday) {
  const std::vector<std::string> sample = BuildSample();
  EXPECT_EQ(absl::BytesToHexString(sample[0]),
            absl::BytesToHexString(Golden("v1_first.wal")));
  EXPECT_EQ(absl::BytesToHexString(sample[1]),
            absl::BytesToHexString(Golden("v1_second.wal")));
}

class GoldenLogTest : public testing::Test {
 protected:
  GoldenLogTest() {
    auto lease = AcquireLease(files_, "wal", "test");
    EXPECT_OK(lease);
    Write((*lease)->token(), 1, "v1_first.wal");
    Write((*lease)->token(), 2, "v1_second.wal");
  }

  void Write(const OwnerToken& token, uint64_t counter,
             absl::string_view golden) {
    EXPECT_OK(WriteWholeFile(files_, SegmentName("wal", {2, counter}),
                             Golden(golden), token));
  }

  ThreadPoolExecutor executor_{1, RealClock()};
  MemoryFileSystem files_{executor_};
};

// The first segment isn't needed any more, as the second says.
TEST_F(GoldenLogTest, TheGoldenFilesReadAsOneLog) {
  ASSERT_OK_AND_ASSIGN(const LogScan scan, LogScan::Open(files_, "wal"));
  EXPECT_EQ(scan.epoch(), 2u);
  EXPECT_EQ(scan.torn_bytes(), 0u);
  EXPECT_THAT(scan.ignored_files(), ElementsAre(SegmentName("wal", {2, 1})));
  EXPECT_EQ(scan.extent().generation_start, LogPosition{kStart});
  EXPECT_GT(scan.extent().first, LogPosition{kStart});
  EXPECT_EQ(scan.extent().epoch, 2u);
  EXPECT_EQ(scan.extent().last_segment, SegmentName("wal", {2, 2}));
  EXPECT_EQ(scan.extent().end_offset, Golden("v1_second.wal").size());
  std::vector<LogEntryType> types;
  ASSERT_OK(scan.ForEach([&](const LogRecord& record, const RecordPlace&) {
    types.push_back(record.entry.type);
    return absl::OkStatus();
  }));
  EXPECT_THAT(types,
              ElementsAre(LogEntryType::kFlushCommit, LogEntryType::kTrimmed,
                          LogEntryType::kCovering));
}

TEST_F(GoldenLogTest, TheGoldenRecordDecodes) {
  const std::string bytes = Golden("v1_first.wal").substr(kSegmentHeaderBytes);
  const absl::string_view first =
      absl::string_view(bytes).substr(0, RecordBytesAt(bytes));
  ASSERT_OK_AND_ASSIGN(const LogRecord record, DecodeRecord(first));
  EXPECT_EQ(record.epoch, 2u);
  EXPECT_EQ(record.position.value,
            kStart + RecordBytes(SamplePayload().size()));
  EXPECT_EQ(record.durable_to.value, kStart);
  EXPECT_EQ(record.entry.range, (WriteRange{{100}, {100}}));
  EXPECT_EQ(record.entry.payload, SamplePayload());
}

}  // namespace
}  // namespace shale
