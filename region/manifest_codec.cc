#include "shale/region/manifest_codec.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shale/base/coding.h"
#include "shale/base/status_macros.h"
#include "shale/base/uuid_coding.h"
#include "shale/filter/retention_rules.h"
#include "shale/region/envelope.h"

namespace shale {
namespace {

constexpr uint64_t kManifestMagic = 0x4e414d454c414853;  // "SHALEMAN"
constexpr uint32_t kManifestVersion = 3;

// A time to live without end.
constexpr int64_t kForever = -1;

bool ReadString(Decoder& in, std::string* out) {
  absl::string_view bytes;
  if (!in.ReadLengthPrefixed(&bytes)) return false;
  *out = std::string(bytes);
  return true;
}

bool ReadVersions(Decoder& in, int* versions) {
  uint64_t wide = 0;
  if (!in.ReadVarint64(&wide) || wide > uint64_t{kAllVersions}) return false;
  *versions = static_cast<int>(wide);
  return true;
}

void PutFamily(std::string* out, const ManifestFamily& family) {
  const ColumnFamilyOptions& o = family.options;
  PutLengthPrefixed(out, o.name);
  PutVarint64(out, o.retention.max_versions);
  PutVarint64(out, o.retention.min_versions);
  PutFixed64(out, o.retention.ttl == absl::InfiniteDuration()
                      ? kForever
                      : absl::ToInt64Microseconds(o.retention.ttl));
  PutFixed8(out, static_cast<uint8_t>(o.retention.delete_rule));
  PutVarint64(out, o.block_bytes);
  PutFixed8(out, static_cast<uint8_t>(o.compression));
  PutFixed8(out, static_cast<uint8_t>(o.bloom));
  PutFixed64(out, family.flushed.value);
  PutVarint64(out, family.files.size());
  for (const ManifestFile& file : family.files) {
    PutLengthPrefixed(out, file.name);
    PutVarint64(out, file.bytes);
    PutLengthPrefixed(out, file.low);
    PutLengthPrefixed(out, file.high);
  }
}

bool ReadFamily(Decoder& in, ManifestFamily* family) {
  ColumnFamilyOptions& o = family->options;
  uint64_t ttl, block_bytes, files;
  uint8_t rule, compression, bloom;
  if (!ReadString(in, &o.name) ||
      !ReadVersions(in, &o.retention.max_versions) ||
      !ReadVersions(in, &o.retention.min_versions) || !in.ReadFixed64(&ttl) ||
      !in.ReadFixed8(&rule) || !in.ReadVarint64(&block_bytes) ||
      !in.ReadFixed8(&compression) || !in.ReadFixed8(&bloom) ||
      !in.ReadFixed64(&family->flushed.value) || !in.ReadVarint64(&files)) {
    return false;
  }
  o.retention.ttl = static_cast<int64_t>(ttl) == kForever
                        ? absl::InfiniteDuration()
                        : absl::Microseconds(static_cast<int64_t>(ttl));
  o.retention.delete_rule = static_cast<DeleteRule>(rule);
  o.block_bytes = block_bytes;
  o.compression = static_cast<Compression>(compression);
  o.bloom = static_cast<BloomKind>(bloom);
  for (uint64_t i = 0; i < files; ++i) {
    ManifestFile& file = family->files.emplace_back();
    if (!ReadString(in, &file.name) || !in.ReadVarint64(&file.bytes) ||
        !ReadString(in, &file.low) || !ReadString(in, &file.high)) {
      return false;
    }
  }
  return true;
}

void PutNonce(std::string* out, const AppliedNonce& applied) {
  PutFixed64(out, applied.nonce.group);
  PutFixed64(out, applied.nonce.nonce);
  PutFixed64(out, applied.range.first.value);
  PutFixed64(out, applied.range.last.value);
  PutFixed64(out, applied.commit_timestamp);
}

bool ReadNonce(Decoder& in, AppliedNonce* applied) {
  uint64_t timestamp = 0;
  const bool ok = in.ReadFixed64(&applied->nonce.group) &&
                  in.ReadFixed64(&applied->nonce.nonce) &&
                  in.ReadFixed64(&applied->range.first.value) &&
                  in.ReadFixed64(&applied->range.last.value) &&
                  in.ReadFixed64(&timestamp);
  applied->commit_timestamp = static_cast<Timestamp>(timestamp);
  return ok;
}

WriteNumber LargestFlushed(const Manifest& manifest) {
  WriteNumber largest;
  for (const ManifestFamily& family : manifest.families) {
    largest = std::max(largest, family.flushed);
  }
  return largest;
}

}  // namespace

RegionSchema Manifest::schema() const {
  RegionSchema schema{name, start_row, end_row, {}};
  for (const ManifestFamily& family : families) {
    schema.families.push_back(family.options);
  }
  return schema;
}

WriteNumber Manifest::flushed() const {
  WriteNumber flushed = kMaxWriteNumber;
  for (const ManifestFamily& family : families) {
    flushed = std::min(flushed, family.flushed);
  }
  return flushed;
}

std::string EncodeManifest(const Manifest& manifest) {
  std::string body;
  PutUuid(&body, manifest.incarnation);
  PutUuid(&body, manifest.commit_id);
  PutLengthPrefixed(&body, manifest.name);
  PutLengthPrefixed(&body, manifest.start_row);
  PutLengthPrefixed(&body, manifest.end_row);
  PutFixed64(&body, manifest.high_water.value);
  PutFixed64(&body, manifest.first_needed.value);
  PutFixed64(&body, manifest.clock_floor);
  PutVarint64(&body, manifest.families.size());
  for (const ManifestFamily& family : manifest.families) {
    PutFamily(&body, family);
  }
  PutVarint64(&body, manifest.nonces.size());
  for (const AppliedNonce& nonce : manifest.nonces) PutNonce(&body, nonce);
  PutFixed64(&body, manifest.believed_time);
  return Seal(kManifestMagic, kManifestVersion, body);
}

absl::StatusOr<Manifest> DecodeManifest(const MetaObject& object) {
  SHALE_ASSIGN_OR_RETURN(const Sealed sealed,
                         Unseal(object, kManifestMagic, kManifestVersion));
  Decoder in(sealed.body);
  Manifest manifest;
  uint64_t floor = 0, families = 0, nonces = 0, believed_time = 0;
  bool ok = ReadUuid(in, &manifest.incarnation) &&
            ReadUuid(in, &manifest.commit_id) &&
            ReadString(in, &manifest.name) &&
            ReadString(in, &manifest.start_row) &&
            ReadString(in, &manifest.end_row) &&
            in.ReadFixed64(&manifest.high_water.value) &&
            in.ReadFixed64(&manifest.first_needed.value) &&
            in.ReadFixed64(&floor) && in.ReadVarint64(&families);
  manifest.clock_floor = static_cast<Timestamp>(floor);
  for (uint64_t i = 0; ok && i < families; ++i) {
    ok = ReadFamily(in, &manifest.families.emplace_back());
  }
  if (sealed.version >= 2) ok = ok && in.ReadVarint64(&nonces);
  for (uint64_t i = 0; ok && i < nonces; ++i) {
    ok = ReadNonce(in, &manifest.nonces.emplace_back());
  }
  if (sealed.version >= 3) ok = ok && in.ReadFixed64(&believed_time);
  manifest.believed_time = static_cast<Timestamp>(believed_time);
  if (!ok || in.remaining() != 0) {
    return absl::DataLossError(absl::StrCat(object.file,
                                            ": bad manifest body at offset ",
                                            FileOffset(object, in.offset())));
  }
  // The checksum held, so a schema that no build accepts is a writer's bug or a
  // forgery; either way nothing may be built on it.
  if (absl::Status valid = ValidateSchema(manifest.schema()); !valid.ok()) {
    return absl::DataLossError(
        absl::StrCat(object.file, ": manifest body at offset ",
                     FileOffset(object, 0), ": ", valid.message()));
  }
  if (std::max(manifest.high_water, LargestFlushed(manifest)) >=
      kWriteNumberLimit) {
    return absl::DataLossError(absl::StrCat(
        object.file, ": manifest body at offset ", FileOffset(object, 0),
        ": impossible write numbers: high water ", manifest.high_water.value,
        ", flushed up to ", LargestFlushed(manifest).value));
  }
  return manifest;
}

}  // namespace shale
