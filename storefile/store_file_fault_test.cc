// A store file over a file system that fails, and crashes.
#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/clock.h"
#include "shale/base/random.h"
#include "shale/base/status_macros.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/cache/lru_block_cache.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_scanner.h"
#include "shale/cell/testing/cell_text.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/filesystem/testing/fault_plan.h"
#include "shale/filesystem/testing/faulty_file_system.h"
#include "shale/storefile/store_file_reader.h"
#include "shale/storefile/store_file_writer.h"

namespace shale {
namespace {

constexpr char kName[] = "dir/file";

// More than one append's worth.
std::vector<Cell> SomeCells(Random& random) {
  std::vector<Cell> cells;
  for (int i = 0; i < 20; ++i) {
    cells.push_back(ParseCellText(absl::StrFormat("row%03d/f:q@5#1 put", i)));
    cells.back().value = random.Bytes(70'000);
  }
  return cells;
}

absl::Status Write(FileSystem& files, const std::vector<Cell>& cells) {
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<Lease> lease,
                         AcquireLease(files, "dir", "test"));
  SHALE_ASSIGN_OR_RETURN(
      std::unique_ptr<AppendFile> file,
      CreateFile(files, kName, FileKind::kData, lease->token()));
  SHALE_ASSIGN_OR_RETURN(
      const std::unique_ptr<StoreFileWriter> writer,
      NewStoreFileWriter(std::move(file), {.family = "f"}, RealClock()));
  for (const Cell& cell : cells) {
    SHALE_RETURN_IF_ERROR(writer->Add(cell.view()));
  }
  return writer->Finish().status();
}

// Reads all there is, in every way; only an OK file has the cells.
absl::Status Read(FileSystem& files, const std::vector<Cell>& cells) {
  LruBlockCache cache({.capacity_bytes = 4 << 20});
  SHALE_ASSIGN_OR_RETURN(std::unique_ptr<ReadFile> file,
                         OpenFile(files, kName));
  SHALE_ASSIGN_OR_RETURN(
      const std::unique_ptr<StoreFileReader> reader,
      OpenStoreFile(std::move(file), kName, cache.NewFileId(), cache));
  const std::unique_ptr<CellScanner> scanner = reader->NewScanner({});
  SHALE_RETURN_IF_ERROR(scanner->Seek(""));
  for (const Cell& cell : cells) {
    EXPECT_TRUE(scanner->cell() != nullptr && Cell(*scanner->cell()) == cell);
    SHALE_RETURN_IF_ERROR(reader->MayContainRow(cell.row).status());
    SHALE_RETURN_IF_ERROR(scanner->Next());
  }
  EXPECT_EQ(scanner->cell(), nullptr);
  return reader->Verify(nullptr);
}

std::string EffectName(const testing::TestParamInfo<Fault>& info) {
  constexpr const char* kNames[] = {"NotApplied", "Applied", "Short", "Torn"};
  return kNames[info.index];
}

class StoreFileFaultTest : public testing::TestWithParam<Fault> {
 protected:
  ThreadPoolExecutor executor_{/*threads=*/1, RealClock()};
};

INSTANTIATE_TEST_SUITE_P(
    Effects, StoreFileFaultTest,
    testing::Values(
        Fault{.effect = Fault::Effect::kNotApplied, .error_number = EIO},
        Fault{.effect = Fault::Effect::kApplied, .error_number = EIO},
        Fault{.effect = Fault::Effect::kShort, .error_number = ENOSPC},
        Fault{.effect = Fault::Effect::kTorn, .error_number = EIO}),
    EffectName);

TEST_P(StoreFileFaultTest, EveryErrorSurfacesAndWhatIsFinishedSurvivesACrash) {
  Random random(TestSeed());
  const std::vector<Cell> cells = SomeCells(random);
  bool failed = true;
  for (uint64_t nth = 1; failed; ++nth) {
    SCOPED_TRACE(nth);
    MemoryFileSystem memory(executor_);
    FaultyFileSystem files(memory, executor_);
    files.faults().Inject({.name = kName, .nth = nth, .fault = GetParam()});
    const absl::Status written = Write(files, cells);
    if (!written.ok()) continue;
    const absl::Status read = Read(files, cells);
    failed = !read.ok();
    EXPECT_TRUE(nth > 4 || failed) << "an error got lost";
    files.Crash(random.Next());
    EXPECT_OK(Read(files, cells)) << files.faults().ToString();
  }
}

}  // namespace
}  // namespace shale
