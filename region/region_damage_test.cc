// Damage on disk, a byte or an object at a time: the host or region doesn't
// open, or its reads fail; the error names the object; nothing is written.
#include <functional>
#include <memory>
#include <string>
#include <utility>
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
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/memory_file_system.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

// A host with a region of one store file and a log with one more write, all of
// it closed; then damaged.
class RegionDamageTest : public testing::Test {
 protected:
  RegionDamageTest()
      : executor_(2, RealClock()),
        memory_(executor_),
        host_(memory_, TestHost::Schema(), {}, {}) {}

  void SetUp() override {
    ASSERT_OK(host_.Open());
    for (const char* row : {"a", "b", "c"}) {
      ASSERT_OK(host_.region().Apply(RowMutation(row).Put("f", "q", row, 1)));
    }
    ASSERT_OK(host_.region().Flush().status());
    ASSERT_OK(host_.Close());
    ASSERT_OK_AND_ASSIGN(const std::vector<FileListing::Entry> entries,
                         ListFiles(memory_, "host/regions/"));
    ASSERT_EQ(entries.size(), 1u);
    store_file_ = entries[0].name;
    manifest_ = absl::StrCat(store_file_.substr(0, store_file_.rfind('/')),
                             "/manifest");
  }

  std::string Bytes(const std::string& name) {
    const bool is_file = name == store_file_;
    if (is_file) return ReadWholeFile(memory_, name).value();
    return ReadMeta(memory_, name)->bytes;
  }

  // Puts other bytes in the place of an object, as a bad disk would.
  void Replace(const std::string& name, const std::string& bytes) {
    const std::unique_ptr<Lease> lease =
        AcquireLease(memory_, "host", "damage").value();
    if (name == store_file_) {
      ASSERT_OK(RemoveFile(memory_, name, lease->token()));
      ASSERT_OK(WriteWholeFile(memory_, name, bytes, lease->token()));
    } else {
      ASSERT_OK_AND_ASSIGN(const MetaObject now, ReadMeta(memory_, name));
      ASSERT_OK(CommitMeta(memory_, name, bytes, now.version, lease->token())
                    .status());
    }
  }

  void Remove(const std::string& name) {
    const std::unique_ptr<Lease> lease =
        AcquireLease(memory_, "host", "damage").value();
    ASSERT_OK(RemoveFile(memory_, name, lease->token()));
  }

  // All of the directory but the log, as far as it is there.
  std::string Contents() {
    std::string contents;
    for (const std::string& name : {catalog_, manifest_}) {
      const absl::StatusOr<MetaObject> object = ReadMeta(memory_, name);
      if (object.ok()) absl::StrAppend(&contents, name, object->bytes);
    }
    const std::vector<FileListing::Entry> entries =
        ListFiles(memory_, "host/regions/").value();
    for (const FileListing::Entry& entry : entries) {
      absl::StrAppend(&contents, entry.name,
                      ReadWholeFile(memory_, entry.name).value());
    }
    return contents;
  }

  // Opens and reads all; gives the first error. If it doesn't even open, it has
  // changed nothing.
  absl::Status OpenAndRead() {
    const std::string contents = Contents();
    absl::Status status = host_.Open();
    const bool opened = status.ok();
    if (opened) status = host_.region().Verify({});
    if (opened && status.ok()) {
      EXPECT_EQ(ScanText(host_.region()), "a/f:q@1=a\nb/f:q@1=b\nc/f:q@1=c\n");
    }
    if (!opened) {
      EXPECT_EQ(Contents(), contents) << status;
    }
    host_.Close().IgnoreError();  // It may not be open.
    return status;
  }

  // Every byte of `name` flipped, one at a time, is found out.
  void FlipEachByte(const std::string& name) {
    const std::string good = Bytes(name);
    for (size_t i = 0; i < good.size(); ++i) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
      Replace(name, bad);
      ASSERT_THAT(OpenAndRead(),
                  StatusIs(AnyOf(absl::StatusCode::kDataLoss,
                                 absl::StatusCode::kFailedPrecondition),
                           HasSubstr(name)))
          << "byte " << i;
    }
    Replace(name, good);
    EXPECT_OK(OpenAndRead());
  }

  // Every shorter length of `name` is found out.
  void CutAtEachByte(const std::string& name) {
    const std::string good = Bytes(name);
    for (size_t i = 0; i < good.size(); ++i) {
      Replace(name, good.substr(0, i));
      ASSERT_THAT(OpenAndRead(),
                  StatusIs(absl::StatusCode::kDataLoss, HasSubstr(name)))
          << "length " << i;
    }
  }

  // With the version one higher and the checksum right.
  static std::string OfNewerVersion(std::string object) {
    object.resize(object.size() - sizeof(uint32_t));
    ++object[8];
    PutFixed32(&object, Crc32c(object));
    return object;
  }

  ThreadPoolExecutor executor_;
  MemoryFileSystem memory_;
  TestHost host_;
  const std::string catalog_ = "host/catalog";
  std::string manifest_;
  std::string store_file_;
};

TEST_F(RegionDamageTest, EveryFlippedByteOfTheCatalogIsFound) {
  FlipEachByte(catalog_);
}

TEST_F(RegionDamageTest, EveryFlippedByteOfAManifestIsFound) {
  FlipEachByte(manifest_);
}

TEST_F(RegionDamageTest, EveryFlippedByteOfAStoreFileIsFound) {
  FlipEachByte(store_file_);
}

TEST_F(RegionDamageTest, CutCatalogIsFound) { CutAtEachByte(catalog_); }

TEST_F(RegionDamageTest, CutManifestIsFound) { CutAtEachByte(manifest_); }

TEST_F(RegionDamageTest, CutStoreFileIsFound) { CutAtEachByte(store_file_); }

TEST_F(RegionDamageTest, NewerVersionIsRefusedByNameAndVersion) {
  for (const auto& [name, newer] :
       {std::pair(catalog_, "version at offset 8 is 2"),
        std::pair(manifest_, "version at offset 8 is 4")}) {
    const std::string good = Bytes(name);
    Replace(name, OfNewerVersion(good));
    EXPECT_THAT(OpenAndRead(),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(HasSubstr(name), HasSubstr(newer))));
    Replace(name, good);
  }
  EXPECT_OK(OpenAndRead());
}

TEST_F(RegionDamageTest, MissingStoreFileIsNamed) {
  Remove(store_file_);
  EXPECT_THAT(OpenAndRead(),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(store_file_), HasSubstr("missing"))));
}

TEST_F(RegionDamageTest, MissingManifestIsNamedWithItsRegion) {
  Remove(manifest_);
  EXPECT_THAT(OpenAndRead(),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(manifest_), HasSubstr("region r"))));
}

TEST_F(RegionDamageTest, ManifestOfAnotherRegionIsRefused) {
  const std::string good = Bytes(manifest_);
  // The incarnation is the first field after magic and version.
  std::string other = good;
  other[12] ^= 1;
  other.resize(other.size() - sizeof(uint32_t));
  PutFixed32(&other, Crc32c(other));
  Replace(manifest_, other);
  EXPECT_THAT(OpenAndRead(),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(manifest_), HasSubstr("incarnation"))));
}

TEST_F(RegionDamageTest, StoreFileOfAnotherFamilyIsRefused) {
  // The same cells in the family "g", in a file of the same size.
  RegionSchema schema = TestHost::Schema();
  std::swap(schema.families[0], schema.families[1]);
  TestHost other(schema);
  for (const char* row : {"a", "b", "c"}) {
    ASSERT_OK(other.region().Apply(RowMutation(row).Put("g", "q", row, 1)));
  }
  ASSERT_OK_AND_ASSIGN(const FlushResult flushed, other.region().Flush());
  ASSERT_EQ(flushed.files.size(), 1u);
  ASSERT_OK_AND_ASSIGN(const std::vector<FileListing::Entry> entries,
                       ListFiles(other.files(), "host/regions/"));
  ASSERT_OK_AND_ASSIGN(const std::string bytes,
                       ReadWholeFile(other.files(), entries[0].name));
  ASSERT_EQ(bytes.size(), Bytes(store_file_).size());
  Replace(store_file_, bytes);
  EXPECT_THAT(OpenAndRead(), StatusIs(absl::StatusCode::kDataLoss,
                                      AllOf(HasSubstr(store_file_),
                                            HasSubstr("holds family 'g'"))));
}

TEST_F(RegionDamageTest, OrphanOfAnInterruptedFlushIsRemoved) {
  const std::string orphan =
      absl::StrCat(store_file_.substr(0, store_file_.rfind('/')),
                   "/0000000000000001-0000ffff.store");
  {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Lease> lease,
                         AcquireLease(memory_, "host", "orphan"));
    ASSERT_OK(WriteWholeFile(memory_, orphan, "half a file", lease->token()));
  }
  EXPECT_OK(OpenAndRead());
  EXPECT_THAT(OpenFile(memory_, orphan), StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace shale
