#include "shale/compaction/rewriter.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/status_macros.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/cache/lru_block_cache.h"
#include "shale/cell/testing/cell_text.h"
#include "shale/cell/vector_scanner.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/storefile/store_file_reader.h"

namespace shale {
namespace {

class RewriterTest : public testing::Test {
 protected:
  RewriterTest() {
    auto lease = AcquireLease(files_, "d", "the test");
    EXPECT_OK(lease);
    lease_ = *std::move(lease);
  }

  // Rewrites `cells` into the file d/out.
  absl::StatusOr<RewriteResult> RewriteText(
      absl::string_view cells, const RewriteView& view,
      absl::Status keep_going = absl::OkStatus()) {
    const std::unique_ptr<CellScanner> input =
        NewVectorScanner(Sorted(ParseCellsText(cells)));
    return Rewrite(
        *input, RetentionRules{}, view,
        [this]() -> absl::StatusOr<std::unique_ptr<StoreFileWriter>> {
          SHALE_ASSIGN_OR_RETURN(
              std::unique_ptr<AppendFile> file,
              CreateFile(files_, "d/out", FileKind::kData, lease_->token()));
          StoreFileWriterOptions options;
          options.family = "f";
          return NewStoreFileWriter(std::move(file), options, RealClock());
        },
        [&](uint64_t) { return keep_going; });
  }

  // What d/out holds.
  std::string Written() {
    auto file = OpenFile(files_, "d/out");
    if (!file.ok()) return file.status().ToString();
    auto reader =
        OpenStoreFile(*std::move(file), "d/out", cache_->NewFileId(), *cache_);
    if (!reader.ok()) return reader.status().ToString();
    const std::unique_ptr<CellScanner> scanner = (*reader)->NewScanner({});
    std::vector<Cell> cells;
    EXPECT_OK(scanner->Seek(""));
    while (scanner->cell() != nullptr) {
      cells.emplace_back(*scanner->cell());
      EXPECT_OK(scanner->Next());
    }
    return CellsText(cells);
  }

  ThreadPoolExecutor executor_{2, RealClock()};
  MemoryFileSystem files_{executor_};
  std::unique_ptr<Lease> lease_;
  std::unique_ptr<BlockCache> cache_ =
      std::make_unique<LruBlockCache>(BlockCacheOptions{});
};

RewriteView View(uint64_t smallest_pinned, RewriteScope scope) {
  RewriteView view;
  view.smallest_pinned = WriteNumber{smallest_pinned};
  view.scope = scope;
  return view;
}

TEST_F(RewriterTest, ExcessVersionsGoAndTheResultCountsThem) {
  ASSERT_OK_AND_ASSIGN(
      const RewriteResult result,
      RewriteText("r/f:q@2#2 put new, r/f:q@1#1 put old, s/f:q@1#3 put v",
                  View(9, RewriteScope::kRun)));
  EXPECT_EQ(result.cells_read, 3u);
  EXPECT_EQ(result.cells_written, 2u);
  EXPECT_EQ(result.info.cells, 2u);
  EXPECT_EQ(Written(), "r/f:q@2#2 put new, s/f:q@1#3 put v");
}

TEST_F(RewriterTest, WhatAPinnedReaderSeesStays) {
  ASSERT_OK(RewriteText("r/f:q@2#2 put new, r/f:q@1#1 put old",
                        View(1, RewriteScope::kFromOldest)));
  EXPECT_EQ(Written(), "r/f:q@2#2 put new, r/f:q@1#1 put old");
}

TEST_F(RewriterTest, MarkersStayInARunAndGoFromTheOldest) {
  constexpr absl::string_view kCells = "r/f:q@2#2 delcol, r/f:p@1#3 put v";
  ASSERT_OK(RewriteText(kCells, View(9, RewriteScope::kRun)));
  EXPECT_EQ(Written(), "r/f:p@1#3 put v, r/f:q@2#2 delcol");
  ASSERT_OK(RemoveFile(files_, "d/out", lease_->token()));
  ASSERT_OK(RewriteText(kCells, View(9, RewriteScope::kFromOldest)));
  EXPECT_EQ(Written(), "r/f:p@1#3 put v");
}

TEST_F(RewriterTest, NothingKeptMakesNoFile) {
  ASSERT_OK_AND_ASSIGN(const RewriteResult result,
                       RewriteText("r/f:q@2#2 delcol, r/f:q@1#1 put v",
                                   View(9, RewriteScope::kFromOldest)));
  EXPECT_EQ(result.cells_written, 0u);
  EXPECT_THAT(OpenFile(files_, "d/out"), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(RewriterTest, AnInterruptedRewriteLeavesNoFile) {
  EXPECT_THAT(RewriteText("r/f:q@1#1 put v", View(9, RewriteScope::kRun),
                          absl::CancelledError("closing")),
              StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(OpenFile(files_, "d/out"), StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace shale
