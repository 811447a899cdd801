// Damage of every kind to every kind of file, met by every command: whether it
// fails, what it says, and that it changes nothing.
#include <filesystem>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/region/testing/newer_version.h"
#include "shale/tools/shale/run.h"
#include "shale/tools/shale/testing/store_test.h"

namespace shale {
namespace {

using testing::AllOf;
using testing::HasSubstr;

using Damage = std::string (*)(std::string);

// Behind the header: in a store file the first block, in a log a record.
std::string FlipEarly(std::string bytes) {
  bytes[100] ^= 0x20;
  return bytes;
}
std::string FlipMiddle(std::string bytes) {
  bytes[bytes.size() / 2] ^= 0x20;
  return bytes;
}
std::string FlipLast(std::string bytes) {
  bytes.back() ^= 0x20;
  return bytes;
}
std::string Cut(std::string bytes) {
  bytes.resize(bytes.size() / 2);
  return bytes;
}

struct DamageCase {
  const char* name;
  const char* file;  // What its name ends in.
  Damage damage;
  const char* said;    // By who meets it, besides the file's name.
  const char* missed;  // The commands that don't meet it, and so succeed.
};

// Reading takes no ownership, so it looks at no record of an owner; a write
// reads no block.
constexpr DamageCase kDamageCases[] = {
    {"FlippedByteOfABlock", ".store", FlipEarly, "at offset 16", "put"},
    {"FlippedByteOfAFooter", ".store", FlipLast, "at offset", ""},
    {"CutStoreFile", ".store", Cut, "ends at offset", ""},
    {"NewerStoreFile", ".store", NewerStoreFile, "of version 2", ""},
    {"FlippedByteOfTheManifest", "/manifest", FlipMiddle, "at offset 12", ""},
    {"CutManifest", "/manifest", Cut, "at offset 24", ""},
    {"NewerManifest", "/manifest", NewerMetadata, "at offset 36 is 4", ""},
    {"FlippedByteOfTheCatalog", "/catalog", FlipMiddle, "at offset 12", ""},
    {"CutCatalog", "/catalog", Cut, "at offset 24", ""},
    {"NewerCatalog", "/catalog", NewerMetadata, "at offset 36 is 2", ""},
    {"FlippedByteOfTheLog", ".wal", FlipMiddle, "record at offset", ""},
    {"CutLog", ".wal", Cut, "ends at offset", ""},
    {"NewerLog", ".wal", NewerSegment, "of version 2", ""},
    {"FlippedByteOfTheCloseRecord", "/closed", FlipMiddle, "at offset 12", ""},
    {"CutCloseRecord", "/closed", Cut, "at offset 24", ""},
    {"NewerCloseRecord", "/closed", NewerMetadata, "at offset 36 is 2", ""},
    {"FlippedByteOfTheOwner", "host/.meta/.owner", FlipMiddle, "at offset 12",
     "get scan count"},
    {"CutOwner", "host/.meta/.owner", Cut, "at offset 24", "get scan count"},
    {"NewerOwner", "host/.meta/.owner", NewerMetaObject, "at offset 8 is 2",
     "get scan count"},
};

class DamageTest : public StoreTest,
                   public testing::WithParamInterface<DamageCase> {
 protected:
  // The store as it was closed, but for one file; gives that file's name in it.
  std::string MakeDamagedStore() {
    const std::string store = work_ + "/store";
    std::filesystem::remove_all(store);
    std::filesystem::copy(work_ + "/good", store,
                          std::filesystem::copy_options::recursive);
    const std::string path = FileEndingIn(GetParam().file);
    ReplaceFile(path, GetParam().damage(ReadFile(path)));
    return path.substr(store.size() + 1);
  }

  void ExpectNamed(const std::vector<std::string>& line) {
    const std::string file = MakeDamagedStore();
    const auto before = Snapshot(work_);
    const ToolRun run = Run(line);
    EXPECT_EQ(run.exit_code, kExitFailed) << run.out;
    EXPECT_THAT(line[0] == "verify" ? run.out : run.err,
                AllOf(HasSubstr(file), HasSubstr(GetParam().said)));
    EXPECT_EQ(Snapshot(work_), before);
  }

  void ExpectMissed(const std::vector<std::string>& line) {
    MakeDamagedStore();
    const auto before = Snapshot(work_);
    Printed(line);
    if (line[0] != "put") {
      EXPECT_EQ(Snapshot(work_), before);
    }
  }
};

TEST_P(DamageTest, IsNamedByWhoMeetsItAndNothingChanges) {
  ASSERT_NO_FATAL_FAILURE(MakeStore(/*flushed=*/true, "good"));
  for (const std::vector<std::string>& line :
       std::vector<std::vector<std::string>>{
           {"get", "row100", "--dir=store"},
           {"scan", "--dir=store"},
           {"count", "--dir=store"},
           {"put", "row100", "f:q", "v", "--dir=store"},
           {"compact", "--dir=store"},
           {"verify", "--dir=store"}}) {
    SCOPED_TRACE(line[0]);
    const std::vector<std::string> missed =
        absl::StrSplit(GetParam().missed, ' ');
    if (absl::c_linear_search(missed, line[0])) {
      ExpectMissed(line);
    } else {
      ExpectNamed(line);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, DamageTest, testing::ValuesIn(kDamageCases),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace shale
