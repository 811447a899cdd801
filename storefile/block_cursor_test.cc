#include "shale/storefile/block_cursor.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/coding.h"
#include "shale/base/random.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/base/testing/test_seed.h"
#include "shale/cell/cell.h"
#include "shale/cell/cell_key.h"
#include "shale/storefile/block_builder.h"

namespace shale {
namespace {

using testing::HasSubstr;

struct Entry {
  std::string key, value, tags;
  friend bool operator==(const Entry&, const Entry&) = default;
};

std::string KeyOf(absl::string_view row, absl::string_view qualifier,
                  Timestamp timestamp) {
  std::string key;
  AppendCellKey(CellView{.row = row,
                         .family = "",
                         .qualifier = qualifier,
                         .timestamp = timestamp,
                         .kind = CellKind::kPut,
                         .number = {},
                         .value = "",
                         .tags = ""},
                &key);
  return key;
}

std::string BuildBlock(const std::vector<Entry>& entries,
                       int restart_interval) {
  BlockBuilder builder(restart_interval);
  for (const Entry& e : entries) builder.Add(e.key, e.value, e.tags);
  const size_t raw_bytes = builder.raw_bytes();
  EXPECT_EQ(builder.entries(), entries.size());
  std::string block = builder.Finish();
  EXPECT_EQ(block.size(), raw_bytes);
  EXPECT_TRUE(builder.empty());
  return block;
}

// Sorted, some with equal keys.
std::vector<Entry> RandomEntries(Random& random, size_t count) {
  std::vector<Entry> entries;
  for (size_t i = 0; i < count; ++i) {
    const std::string row(random.Uniform(4),
                          static_cast<char>('a' + random.Uniform(3)));
    entries.push_back(
        {KeyOf(row, absl::StrCat(random.Uniform(20)), random.Uniform(3)),
         random.Bytes(random.Uniform(200)),
         random.OneIn(3) ? random.Bytes(random.Uniform(9)) : ""});
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) {
                     return CompareCellKeys(a.key, b.key) < 0;
                   });
  return entries;
}

Entry Current(const BlockCursor& cursor) {
  return {std::string(cursor.key()), std::string(cursor.value()),
          std::string(cursor.tags())};
}

TEST(BlockCursorTest, AgreesWithASortedVector) {
  Random random(TestSeed());
  for (int round = 0; round < 200; ++round) {
    const auto entries = RandomEntries(random, 1 + random.Uniform(60));
    const std::string block =
        BuildBlock(entries, static_cast<int>(1 + random.Uniform(20)));
    BlockCursor cursor;
    ASSERT_OK(cursor.Reset(block));
    ASSERT_OK(cursor.SeekToRestart(0));
    for (const Entry& entry : entries) {
      ASSERT_TRUE(cursor.valid());
      ASSERT_EQ(Current(cursor), entry);
      ASSERT_OK(cursor.Next());
    }
    ASSERT_FALSE(cursor.valid());
    // Seeks from wherever the last one has led, with steps in between.
    for (int i = 0; i < 50; ++i) {
      const std::string key = random.OneIn(2)
                                  ? entries[random.Uniform(entries.size())].key
                                  : RandomEntries(random, 1)[0].key;
      auto expected =
          std::lower_bound(entries.begin(), entries.end(), key,
                           [](const Entry& entry, absl::string_view k) {
                             return CompareCellKeys(entry.key, k) < 0;
                           });
      ASSERT_OK(cursor.Seek(key));
      for (uint64_t step = 0; step < 3 && expected != entries.end();
           ++step, ++expected) {
        ASSERT_TRUE(cursor.valid());
        ASSERT_EQ(Current(cursor), *expected);
        ASSERT_OK(cursor.Next());
      }
      ASSERT_EQ(cursor.valid(), expected != entries.end());
    }
  }
}

TEST(BlockCursorTest, RestartPointsHoldWholeKeysInOrder) {
  std::vector<Entry> entries;
  for (char row = 'a'; row <= 'z'; ++row) {
    entries.push_back({KeyOf(std::string(1, row), "q", 5), "v", ""});
  }
  const std::string block = BuildBlock(entries, 4);
  BlockCursor cursor;
  ASSERT_OK(cursor.Reset(block));
  ASSERT_EQ(cursor.restarts(), 7u);
  for (size_t i = 0; i < 7; ++i) {
    EXPECT_THAT(cursor.RestartKey(i), IsOkAndHolds(entries[4 * i].key));
  }
  EXPECT_THAT(cursor.FindRestart(FirstKeyOfRow("A")), IsOkAndHolds(0u));
  EXPECT_THAT(cursor.FindRestart(FirstKeyOfRow("a")), IsOkAndHolds(0u));
  EXPECT_THAT(cursor.FindRestart(FirstKeyOfRow("e")), IsOkAndHolds(0u));
  EXPECT_THAT(cursor.FindRestart(FirstKeyAfterRow("e")), IsOkAndHolds(1u));
  EXPECT_THAT(cursor.FindRestart(FirstKeyOfRow("zz")), IsOkAndHolds(6u));
  ASSERT_OK(cursor.SeekToRestart(2));
  EXPECT_TRUE(cursor.IsRestart(2));
  EXPECT_FALSE(cursor.IsRestart(3));
  EXPECT_FALSE(cursor.IsRestart(7));
}

TEST(BlockCursorTest, EncodingIsTheDocumentedOne) {
  const std::string a = KeyOf("a", "", 1), ab = KeyOf("a", "b", 1);
  std::string want;
  want += '\0';  // Shares nothing.
  want += static_cast<char>(a.size());
  want += '\x02';  // A value of one byte, no tags.
  want += a + "v";
  want += '\x03';  // Shares the row.
  want += static_cast<char>(ab.size() - 3);
  want += '\x01';  // An empty value, tags
  want += '\x02';  // of two bytes.
  want += ab.substr(3) + "tt";
  PutFixed32(&want, 0);
  PutFixed32(&want, 1);
  EXPECT_EQ(BuildBlock({{a, "v", ""}, {ab, "", "tt"}}, 16), want);
}

// Walks, seeks and asks for everything there is; whatever the bytes are.
void UseBlock(absl::string_view block, bool* failed) {
  BlockCursor cursor;
  absl::Status status = cursor.Reset(block);
  if (status.ok()) status = cursor.SeekToRestart(0);
  while (status.ok() && cursor.valid()) {
    ASSERT_LE(cursor.value().size() + cursor.tags().size(), block.size());
    status = cursor.Next();
  }
  if (status.ok()) status = cursor.Seek(KeyOf("b", "1", 1));
  *failed = !status.ok();
  if (*failed) {
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
    EXPECT_FALSE(cursor.valid());
  }
}

TEST(BlockCursorTest, NoBytesLeadItAstray) {
  Random random(TestSeed());
  int failures = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string block = BuildBlock(RandomEntries(random, 5), 2);
    for (uint64_t flips = 1 + random.Uniform(3); flips > 0; --flips) {
      block[random.Uniform(block.size())] = random.Bytes(1)[0];
    }
    if (random.OneIn(3)) block.resize(random.Uniform(block.size()));
    bool failed;
    UseBlock(block, &failed);
    failures += failed;
  }
  EXPECT_GT(failures, 1000);
}

TEST(BlockCursorTest, LengthsThatOverflowAreRefused) {
  std::string block;
  PutVarint64(&block, 0);
  PutVarint64(&block, ~uint64_t{0});  // unshared + value wraps around.
  PutVarint64(&block, 4);
  PutFixed32(&block, 0);
  PutFixed32(&block, 1);
  BlockCursor cursor;
  ASSERT_OK(cursor.Reset(block));
  EXPECT_THAT(cursor.SeekToRestart(0),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr("bad lengths: entry at byte 0 of 12")));
}

}  // namespace
}  // namespace shale
