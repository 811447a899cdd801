#include "shale/storefile/store_file_writer.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/manual_clock.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/cell/cell.h"
#include "shale/cell/testing/cell_text.h"
#include "shale/filesystem/append_file.h"

namespace shale {
namespace {

using testing::HasSubstr;

// What became of a file.
struct FileFate {
  std::string bytes;
  int appends = 0;
  int failing_append = -1;  // Counted from 0.
  bool finish_fails = false;
  bool finished = false;
  bool abandoned = false;
};

// A file that records its fate, and fails where that says so. Its callbacks run
// inside the calls: the writer uses one, which may do so.
class FakeAppendFile final : public AppendFile {
 public:
  explicit FakeAppendFile(FileFate& fate) : fate_(fate) {}

  void Append(absl::string_view bytes, AppendCallback done) override {
    done(AppendNow(bytes));
  }
  void Sync(SyncMode mode, StatusCallback done) override {
    done(SyncNow(mode));
  }
  absl::StatusOr<uint64_t> AppendNow(absl::string_view bytes) override {
    if (fate_.appends++ == fate_.failing_append) {
      return absl::ResourceExhaustedError("append file: disk full");
    }
    absl::StrAppend(&fate_.bytes, bytes);
    return fate_.bytes.size();
  }
  absl::Status SyncNow(SyncMode) override { return absl::OkStatus(); }
  uint64_t accepted() const override { return fate_.bytes.size(); }
  uint64_t durable() const override { return fate_.finished ? accepted() : 0; }
  void Finish(StatusCallback done) override {
    if (fate_.finish_fails) return done(absl::UnknownError("sync failed"));
    fate_.finished = true;
    done(absl::OkStatus());
  }
  void Abandon() override { fate_.abandoned = true; }

 private:
  FileFate& fate_;
};

class StoreFileWriterTest : public testing::Test {
 protected:
  std::unique_ptr<StoreFileWriter> Writer(
      const StoreFileWriterOptions& options = {.family = "f"}) {
    auto writer = NewStoreFileWriter(std::make_unique<FakeAppendFile>(fate_),
                                     options, clock_);
    EXPECT_OK(writer);
    return *std::move(writer);
  }
  absl::Status OptionsStatus(const StoreFileWriterOptions& options) {
    return NewStoreFileWriter(std::make_unique<FakeAppendFile>(fate_), options,
                              clock_)
        .status();
  }
  static absl::Status Add(StoreFileWriter& writer, absl::string_view text) {
    return writer.Add(ParseCellText(text).view());
  }

  FileFate fate_;
  ManualClock clock_;
};

// A132.
TEST_F(StoreFileWriterTest, ASmallerKeyIsRefusedAndAnEqualOneAccepted) {
  const auto writer = Writer();
  EXPECT_OK(Add(*writer, "k2/f:q@5#3 put v"));
  EXPECT_OK(Add(*writer, "k2/f:q@5#3 put again"));
  EXPECT_THAT(Add(*writer, "k1/f:q@5#3 put v"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "cell k1/:q@5#3 put out of order, after k2/:q@5#3 put"));
  EXPECT_THAT(Add(*writer, "k2/f:q@6#3 put v"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_OK(Add(*writer, "k2/f:q@5#2 put v")) << "a refusal doesn't stick";
  ASSERT_OK_AND_ASSIGN(const StoreFileInfo info, writer->Finish());
  EXPECT_EQ(info.cells, 3u);
}

TEST_F(StoreFileWriterTest, CellsOutOfLimitsAreRefused) {
  const auto writer = Writer();
  Cell cell = ParseCellText("r/f:q@5#1 put v");
  cell.row = std::string(kMaxRowBytes + 1, 'r');
  EXPECT_THAT(writer->Add(cell.view()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("row of 32768 bytes")));
  cell = ParseCellText("r/f:q@5#1 put v");
  cell.qualifier = std::string(kMaxQualifierBytes + 1, 'q');
  EXPECT_THAT(writer->Add(cell.view()),
              StatusIs(absl::StatusCode::kInvalidArgument));
  cell = ParseCellText("r/f:q@5#1 put v");
  cell.timestamp = -1;
  EXPECT_THAT(
      writer->Add(cell.view()),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("timestamp -1")));
  cell = ParseCellText("r/f:q@5#1 delfam");
  EXPECT_THAT(writer->Add(cell.view()),
              StatusIs(absl::StatusCode::kInvalidArgument));
  cell = ParseCellText("r/g:q@5#1 put v");
  EXPECT_THAT(
      writer->Add(cell.view()),
      StatusIs(absl::StatusCode::kInvalidArgument, "cell of family g, want f"));
  const std::string huge((64 << 20) + 1, 'v');
  CellView view = cell.view();
  view.family = "";
  view.value = huge;
  EXPECT_THAT(writer->Add(view), StatusIs(absl::StatusCode::kInvalidArgument));
  view.value = "";
  EXPECT_OK(writer->Add(view))
      << "a view without a family is one of the file's";
}

TEST_F(StoreFileWriterTest, EqualKeysStayInOneBlockUpToALimit) {
  const auto writer = Writer({.family = "f", .block_bytes = 1});
  Cell cell = ParseCellText("r/f:q@5#1 put v");
  cell.value = std::string(30 << 20, 'v');
  int added = 0;
  absl::Status status;
  while (added < 100 && (status = writer->Add(cell.view())).ok()) ++added;
  EXPECT_EQ(added, 4);
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kInvalidArgument,
                               HasSubstr("too many large cells")));
  EXPECT_OK(Add(*writer, "r2/f:q@5#1 put v"));
  ASSERT_OK_AND_ASSIGN(const StoreFileInfo info, writer->Finish());
  EXPECT_EQ(info.data_blocks, 2u);
}

TEST_F(StoreFileWriterTest, OptionsOutOfRangeAreRefused) {
  const auto expect_refused = [&](const StoreFileWriterOptions& options,
                                  absl::string_view name) {
    EXPECT_THAT(OptionsStatus(options),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr(std::string(name))));
  };
  expect_refused({.family = std::string(128, 'f')}, "family");
  expect_refused({.block_bytes = 0}, "block_bytes 0");
  expect_refused({.block_bytes = (16 << 20) + 1}, "block_bytes");
  expect_refused({.restart_interval = 0}, "restart_interval 0");
  expect_refused({.index_block_bytes = 0}, "index_block_bytes 0");
  expect_refused({.bloom_error_rate = 0}, "bloom_error_rate 0");
  expect_refused({.bloom_error_rate = 0.6}, "bloom_error_rate 0.6");
  EXPECT_TRUE(fate_.abandoned) << "the file would stay behind";
}

TEST_F(StoreFileWriterTest, AppendsAreOfAMegabyte) {
  Random random(TestSeed());
  const auto writer = Writer();
  for (int i = 100; i < 500; ++i) {
    Cell cell = ParseCellText(absl::StrCat("r", i, "/f:q@5#1 put v"));
    cell.value = random.Bytes(10'000);
    ASSERT_OK(writer->Add(cell.view()));
  }
  ASSERT_OK_AND_ASSIGN(const StoreFileInfo info, writer->Finish());
  EXPECT_TRUE(fate_.finished);
  EXPECT_FALSE(fate_.abandoned);
  EXPECT_EQ(fate_.bytes.size(), info.file_bytes);
  EXPECT_EQ(fate_.appends, 4);
}

TEST_F(StoreFileWriterTest, TheFirstAppendErrorIsReturnedFromThenOn) {
  fate_.failing_append = 1;
  Random random(TestSeed());
  {
    const auto writer = Writer();
    absl::Status status;
    for (int i = 100; status.ok() && i < 999; ++i) {
      Cell cell = ParseCellText(absl::StrCat("r", i, "/f:q@5#1 put v"));
      cell.value = random.Bytes(10'000);
      status = writer->Add(cell.view());
    }
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted));
    EXPECT_EQ(Add(*writer, "s/f:q@5#1 put v"), status);
    EXPECT_EQ(writer->Finish().status(), status);
    EXPECT_EQ(fate_.appends, 2) << "nothing is written after an error";
  }
  EXPECT_TRUE(fate_.abandoned);
  EXPECT_FALSE(fate_.finished);
}

TEST_F(StoreFileWriterTest, AFailedFinishFailsTheFile) {
  fate_.finish_fails = true;
  {
    const auto writer = Writer();
    EXPECT_OK(Add(*writer, "r/f:q@5#1 put v"));
    EXPECT_THAT(writer->Finish(), StatusIs(absl::StatusCode::kUnknown));
    EXPECT_THAT(writer->Finish(), StatusIs(absl::StatusCode::kUnknown));
  }
  EXPECT_TRUE(fate_.abandoned);
}

TEST_F(StoreFileWriterTest, AWriterThatIsNotFinishedAbandonsItsFile) {
  { const auto writer = Writer(); }
  EXPECT_TRUE(fate_.abandoned);
  fate_ = FileFate();
  const auto writer = Writer();
  writer->Abandon();
  EXPECT_TRUE(fate_.abandoned);
  EXPECT_THAT(Add(*writer, "r/f:q@5#1 put v"),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_F(StoreFileWriterTest, AFinishedWriterTakesNoMore) {
  const auto writer = Writer();
  ASSERT_OK(writer->Finish());
  EXPECT_THAT(Add(*writer, "r/f:q@5#1 put v"),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(writer->Finish(),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace shale
