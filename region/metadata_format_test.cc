// The region's metadata objects: golden files of each version, and what a
// reader makes of damage. docs/formats/manifest.md, docs/formats/catalog.md,
// docs/formats/close_record.md.
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/region/catalog.h"
#include "shale/region/close_record.h"
#include "shale/region/manifest.h"
#include "shale/region/manifest_codec.h"

namespace shale {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string Golden(const std::string& name) {
  std::ifstream file("region/testdata/" + name, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

Uuid UuidOf(uint8_t first) {
  Uuid uuid;
  for (size_t i = 0; i < uuid.bytes.size(); ++i) {
    uuid.bytes[i] = static_cast<uint8_t>(first + i);
  }
  return uuid;
}

Manifest SampleManifest() {
  Manifest manifest;
  manifest.incarnation = UuidOf(0x10);
  manifest.commit_id = UuidOf(0xa0);
  manifest.name = "sample";
  manifest.start_row = std::string("b\0", 2);
  manifest.end_row = "y";
  manifest.high_water = WriteNumber{0x0123456789abcdef};
  manifest.first_needed = LogPosition{1000};
  manifest.clock_floor = 1600000000000000;
  ManifestFamily plain;
  plain.options.name = "plain";
  ManifestFamily full;
  full.options.name = "full";
  full.options.retention.max_versions = 300;
  full.options.retention.min_versions = 2;
  full.options.retention.ttl = absl::Hours(24);
  full.options.retention.delete_rule = DeleteRule::kTimestamp;
  full.options.block_bytes = 4096;
  full.options.compression = Compression::kZstd;
  full.options.bloom = BloomKind::kRowColumn;
  full.flushed = WriteNumber{99};
  full.files = {{"0000000000000002-00000001.store", 123456, "b", "m"},
                {"0000000000000001-00000007.store", 300, "", ""}};
  manifest.families = {plain, full};
  manifest.nonces = {
      {{0x1111, 0x2222}, {{40}, {41}}, 1599999999000000},
      {{1, 7}, {{99}, {99}}, 1600000000000000},
  };
  manifest.believed_time = 1600000000000007;
  return manifest;
}

std::vector<Catalog::Entry> SampleCatalog() {
  return {{"first", UuidOf(0x20)}, {"second", UuidOf(0x40)}};
}

CloseRecord SampleCloseRecord() { return {3, LogPosition{0x80001234}}; }

// In a file where it begins at offset 1000.
MetaObject Object(std::string bytes) {
  return {std::move(bytes), MetaVersion{1}, "obj", 1000};
}

// With the version one higher and the checksum right.
std::string OfNewerVersion(std::string object) {
  object.resize(object.size() - sizeof(uint32_t));
  ++object[8];
  PutFixed32(&object, Crc32c(object));
  return object;
}

TEST(ManifestFormatTest, GoldenFileDecodesAndEncodesToItself) {
  const std::string golden = Golden("v3.manifest");
  EXPECT_EQ(absl::BytesToHexString(EncodeManifest(SampleManifest())),
            absl::BytesToHexString(golden));
  ASSERT_OK_AND_ASSIGN(const Manifest manifest, DecodeManifest(Object(golden)));
  EXPECT_EQ(EncodeManifest(manifest), golden);
  // One field of each part, since the decoder could mirror the encoder.
  EXPECT_EQ(manifest.incarnation, SampleManifest().incarnation);
  EXPECT_EQ(manifest.start_row, SampleManifest().start_row);
  EXPECT_EQ(manifest.first_needed, LogPosition{1000});
  ASSERT_EQ(manifest.families.size(), 2u);
  EXPECT_EQ(manifest.families[0].options.retention.ttl,
            absl::InfiniteDuration());
  const ManifestFamily& full = manifest.families[1];
  EXPECT_EQ(full.options.retention.max_versions, 300);
  EXPECT_EQ(full.options.retention.ttl, absl::Hours(24));
  EXPECT_EQ(full.options.bloom, BloomKind::kRowColumn);
  EXPECT_EQ(full.flushed, WriteNumber{99});
  EXPECT_EQ(full.files, SampleManifest().families[1].files);
  EXPECT_EQ(manifest.nonces, SampleManifest().nonces);
  EXPECT_EQ(manifest.believed_time, 1600000000000007);
}

TEST(ManifestFormatTest, GoldenFilesOfOldVersionsAreReadAndLackWhatCameLater) {
  ASSERT_OK_AND_ASSIGN(Manifest v1,
                       DecodeManifest(Object(Golden("v1.manifest"))));
  EXPECT_TRUE(v1.nonces.empty());
  v1.nonces = SampleManifest().nonces;
  ASSERT_OK_AND_ASSIGN(const Manifest v2,
                       DecodeManifest(Object(Golden("v2.manifest"))));
  EXPECT_EQ(EncodeManifest(v1), EncodeManifest(v2));
  for (Manifest old : {v1, v2}) {
    EXPECT_EQ(old.believed_time, 0);
    old.believed_time = SampleManifest().believed_time;
    EXPECT_EQ(EncodeManifest(old), Golden("v3.manifest"));
  }
}

TEST(CatalogFormatTest, GoldenFileDecodesAndEncodesToItself) {
  const std::string golden = Golden("v1.catalog");
  EXPECT_EQ(absl::BytesToHexString(Catalog::Encode(SampleCatalog())),
            absl::BytesToHexString(golden));
  ASSERT_OK_AND_ASSIGN(const std::vector<Catalog::Entry> entries,
                       Catalog::Decode(Object(golden)));
  EXPECT_EQ(entries, SampleCatalog());
}

TEST(CloseRecordFormatTest, GoldenFileDecodesAndEncodesToItself) {
  const std::string golden = Golden("v1.close_record");
  EXPECT_EQ(absl::BytesToHexString(SampleCloseRecord().Encode()),
            absl::BytesToHexString(golden));
  EXPECT_THAT(CloseRecord::Decode(Object(golden)),
              IsOkAndHolds(SampleCloseRecord()));
}

TEST(MetadataFormatTest, EveryFlippedBitAndEveryCutIsFound) {
  const std::string manifest = EncodeManifest(SampleManifest());
  const std::string catalog = Catalog::Encode(SampleCatalog());
  const std::string closed = SampleCloseRecord().Encode();
  const auto damaged = StatusIs(absl::StatusCode::kDataLoss,
                                AllOf(HasSubstr("obj"), HasSubstr("offset 1")));
  for (const std::string& good : {manifest, catalog, closed}) {
    const auto decode = [&](const std::string& bytes) {
      if (good == manifest) return DecodeManifest(Object(bytes)).status();
      return good == catalog ? Catalog::Decode(Object(bytes)).status()
                             : CloseRecord::Decode(Object(bytes)).status();
    };
    ASSERT_OK(decode(good));
    for (size_t bit = 0; bit < good.size() * 8; ++bit) {
      std::string bad = good;
      bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
      EXPECT_THAT(decode(bad), damaged) << "bit " << bit;
    }
    for (size_t length = 0; length < good.size(); ++length) {
      EXPECT_THAT(decode(good.substr(0, length)), damaged) << length;
    }
    EXPECT_THAT(decode(good + "x"), damaged);
  }
}

TEST(MetadataFormatTest, NewerVersionIsRefusedByNumber) {
  const auto newer = [](int version) {
    return StatusIs(
        absl::StatusCode::kFailedPrecondition,
        HasSubstr(absl::StrCat("obj: format version at offset 1008 is ",
                               version, ", this build reads 1 to ")));
  };
  EXPECT_THAT(
      DecodeManifest(Object(OfNewerVersion(EncodeManifest(SampleManifest())))),
      newer(4));
  EXPECT_THAT(
      Catalog::Decode(Object(OfNewerVersion(Catalog::Encode(SampleCatalog())))),
      newer(2));
  EXPECT_THAT(
      CloseRecord::Decode(Object(OfNewerVersion(SampleCloseRecord().Encode()))),
      newer(2));
}

TEST(ManifestFormatTest, NumbersThatNobodyMintsAreRefused) {
  const auto refused = StatusIs(
      absl::StatusCode::kDataLoss,
      AllOf(HasSubstr("obj: manifest body"), HasSubstr("write numbers")));
  Manifest manifest = SampleManifest();
  manifest.high_water = kWriteNumberLimit;
  EXPECT_THAT(DecodeManifest(Object(EncodeManifest(manifest))), refused);
  manifest.high_water = {kWriteNumberLimit.value - 1};
  EXPECT_OK(DecodeManifest(Object(EncodeManifest(manifest))));
  manifest.families[1].flushed = kMaxWriteNumber;
  EXPECT_THAT(DecodeManifest(Object(EncodeManifest(manifest))), refused);
}

TEST(ManifestFormatTest, SchemaThatCannotBeIsRefusedWhateverTheChecksum) {
  Manifest manifest = SampleManifest();
  manifest.families[1].options.name = manifest.families[0].options.name;
  EXPECT_THAT(DecodeManifest(Object(EncodeManifest(manifest))),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr("obj: manifest body at offset 1012"),
                             HasSubstr("there twice"))));
}

}  // namespace
}  // namespace shale
