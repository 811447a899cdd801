#include "shale/memstore/memstore_segment.h"

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/cell/cell_key.h"

namespace shale {
namespace {

std::vector<Cell> AllCells(const MemstoreSegment& segment) {
  std::vector<Cell> cells;
  const std::unique_ptr<CellScanner> scanner = segment.NewScanner();
  EXPECT_OK(scanner->Seek(""));
  while (scanner->cell() != nullptr) {
    cells.emplace_back(*scanner->cell());
    EXPECT_OK(scanner->Next());
  }
  return cells;
}

Cell RandomCell(Random& random, uint64_t number) {
  static constexpr CellKind kKinds[] = {
      CellKind::kPut, CellKind::kDelete, CellKind::kDeleteColumn,
      CellKind::kDeleteFamily, CellKind::kDeleteFamilyVersion};
  Cell cell;
  cell.row = random.Bytes(random.Uniform(3));
  cell.qualifier = random.Bytes(random.Uniform(3));
  cell.timestamp = static_cast<Timestamp>(random.Uniform(4));
  cell.kind = kKinds[random.Uniform(5)];
  if (IsFamilyDelete(cell.kind)) cell.qualifier.clear();
  cell.number = WriteNumber{number};
  cell.value = random.Bytes(random.Skewed(10));
  return cell;
}

TEST(MemstoreSegmentTest, FreshOneIsEmpty) {
  MemstoreSegment segment;
  EXPECT_TRUE(segment.empty());
  EXPECT_TRUE(AllCells(segment).empty());
}

// Behaviour A7: both writes of one key are there, the newer one first.
TEST(MemstoreSegmentTest, NewerWriteOfTheSameKeyComesFirst) {
  MemstoreSegment segment;
  for (const uint64_t number : {3, 9, 5}) {
    Cell cell;
    cell.row = "r";
    cell.qualifier = "q";
    cell.timestamp = 7;
    cell.number = WriteNumber{number};
    segment.Insert(cell.view());
  }
  std::vector<uint64_t> numbers;
  for (const Cell& cell : AllCells(segment)) {
    numbers.push_back(cell.number.value);
  }
  EXPECT_EQ(numbers, (std::vector<uint64_t>{9, 5, 3}));
}

TEST(MemstoreSegmentTest, SameWriteInsertedTwiceCountsOnce) {
  MemstoreSegment segment;
  Cell cell;
  cell.row = "r";
  cell.value = "v";
  cell.number = WriteNumber{1};
  segment.Insert(cell.view());
  const int64_t bytes = segment.size().data_bytes;
  segment.Insert(cell.view());
  EXPECT_EQ(segment.size().cells, 1);
  EXPECT_EQ(segment.size().data_bytes, bytes);
}

TEST(MemstoreSegmentTest, SizeCountsCellsBytesAndDeletes) {
  MemstoreSegment segment;
  Cell put;
  put.row = "row";
  put.qualifier = "q";
  put.value = "value";
  put.number = WriteNumber{1};
  segment.Insert(put.view());
  Cell marker = put;
  marker.kind = CellKind::kDeleteColumn;
  marker.value.clear();
  segment.Insert(marker.view());
  const MemstoreSize size = segment.size();
  EXPECT_EQ(size.cells, 2);
  EXPECT_EQ(size.deletes, 1);
  EXPECT_EQ(size.data_bytes, static_cast<int64_t>(CellKeyBytes(put.view()) + 5 +
                                                  CellKeyBytes(marker.view())));
  EXPECT_GE(size.arena_bytes, size.data_bytes);
}

TEST(MemstoreSegmentModelTest, HoldsAndSeeksLikeASortedMap) {
  Random random(TestSeed());
  MemstoreSegment segment;
  std::map<std::string, Cell, bool (*)(const std::string&, const std::string&)>
      model(+[](const std::string& a, const std::string& b) {
        return CompareCellKeys(a, b) < 0;
      });
  for (int i = 0; i < 5000; ++i) {
    const Cell cell = RandomCell(random, random.Uniform(50));
    std::string key;
    AppendCellKey(cell.view(), &key);
    model.emplace(key, cell);
    segment.Insert(cell.view());
  }
  std::vector<Cell> want;
  for (const auto& [key, cell] : model) want.push_back(cell);
  EXPECT_EQ(AllCells(segment), want);
  const std::unique_ptr<CellScanner> scanner = segment.NewScanner();
  for (int i = 0; i < 1000; ++i) {
    std::string key;
    AppendCellKey(RandomCell(random, random.Uniform(50)).view(), &key);
    ASSERT_OK(scanner->Seek(key));
    const auto it = model.lower_bound(key);
    ASSERT_EQ(scanner->cell() == nullptr, it == model.end());
    if (it == model.end()) continue;
    ASSERT_EQ(scanner->key(), it->first);
    ASSERT_EQ(Cell(*scanner->cell()), it->second);
  }
}

TEST(MemstoreSegmentConcurrencyTest, ReadersSeeAnOrderThatOnlyGrows) {
  MemstoreSegment segment;
  constexpr int kWriters = 4;
  constexpr int kCells = 3000;
  std::atomic<int> running{kWriters};
  std::vector<std::thread> threads;
  for (int t = 0; t < kWriters; ++t) {
    threads.emplace_back([&, t] {
      Random random(TestSeed() + t);
      for (int i = 0; i < kCells; ++i) {
        Cell cell = RandomCell(random, static_cast<uint64_t>(t * kCells + i));
        cell.value = absl::StrCat(cell.number.value);
        segment.Insert(cell.view());
      }
      running.fetch_sub(1);
    });
  }
  size_t seen = 0;
  while (running.load() > 0) {
    const std::vector<Cell> cells = AllCells(segment);
    ASSERT_GE(cells.size(), seen);
    seen = cells.size();
    for (size_t i = 0; i < cells.size(); ++i) {
      ASSERT_EQ(cells[i].value, absl::StrCat(cells[i].number.value));
      if (i > 0) {
        ASSERT_LT(CompareCells(cells[i - 1].view(), cells[i].view()), 0);
      }
    }
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(AllCells(segment).size(), size_t{kWriters * kCells});
}

TEST(MemstoreSegmentConcurrencyTest, OneOfManySimultaneousTwinsIsKept) {
  for (int round = 0; round < 50; ++round) {
    MemstoreSegment segment;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&segment] {
        for (int i = 0; i < 20; ++i) {
          Cell cell;
          cell.row = absl::StrCat(i);
          cell.number = WriteNumber{1};
          segment.Insert(cell.view());
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(AllCells(segment).size(), 20u);
    EXPECT_EQ(segment.size().cells, 20);
  }
}

}  // namespace
}  // namespace shale
