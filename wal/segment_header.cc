#include "shale/wal/segment_header.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "shale/base/check.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"
#include "shale/base/status_macros.h"

namespace shale {
namespace {

constexpr absl::string_view kSegmentMagic = "SHALEWAL";
// Magic, version and their checksum: the same in all versions.
constexpr size_t kPrefixBytes = 16;

absl::Status CheckCrc(absl::string_view what, absl::string_view bytes,
                      uint32_t want) {
  const uint32_t got = Crc32c(bytes);
  if (got == want) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrFormat("%s: crc32c %#010x, want %#010x", what, got, want));
}

absl::Status CheckPrefix(absl::string_view bytes) {
  if (bytes.size() < kPrefixBytes) {
    return absl::DataLossError(absl::StrCat(
        "header: ", bytes.size(), " bytes, want ", kSegmentHeaderBytes));
  }
  SHALE_RETURN_IF_ERROR(CheckCrc("magic and version", bytes.substr(0, 12),
                                 DecodeFixed32(bytes.data() + 12)));
  if (bytes.substr(0, 8) != kSegmentMagic) {
    return absl::DataLossError("magic: not a log segment");
  }
  const uint32_t version = DecodeFixed32(bytes.data() + 8);
  if (version != kSegmentVersion) {
    return absl::FailedPreconditionError(absl::StrCat(
        "log segment of version ", version, ", want ", kSegmentVersion));
  }
  return absl::OkStatus();
}

}  // namespace

std::string EncodeSegmentHeader(const SegmentHeader& header) {
  std::string out(kSegmentMagic);
  PutFixed32(&out, kSegmentVersion);
  PutFixed32(&out, Crc32c(out));
  PutFixed64(&out, header.id.epoch);
  PutFixed64(&out, header.id.counter);
  PutFixed64(&out, header.first.value);
  PutFixed64(&out, header.generation_start.value);
  PutFixed64(&out, header.kept_from.value);
  PutFixed64(&out, header.recovered_at.value);
  PutFixed64(&out, header.source_epoch);
  PutFixed64(&out, header.predecessor);
  PutFixed64(&out, header.predecessor_bytes);
  PutFixed64(&out, static_cast<uint64_t>(absl::ToUnixMicros(header.created)));
  PutFixed32(&out, 0);
  PutFixed32(&out, Crc32c(out));
  SHALE_CHECK(out.size() == kSegmentHeaderBytes);
  return out;
}

absl::StatusOr<SegmentHeader> DecodeSegmentHeader(absl::string_view bytes) {
  SHALE_RETURN_IF_ERROR(CheckPrefix(bytes));
  if (bytes.size() < kSegmentHeaderBytes) {
    return absl::DataLossError(absl::StrCat(
        "header: ", bytes.size(), " bytes, want ", kSegmentHeaderBytes));
  }
  SHALE_RETURN_IF_ERROR(
      CheckCrc("header", bytes.substr(0, kSegmentHeaderBytes - 4),
               DecodeFixed32(bytes.data() + kSegmentHeaderBytes - 4)));
  Decoder in(bytes.substr(kPrefixBytes));
  SegmentHeader header;
  uint64_t created_micros;
  uint32_t reserved;
  const bool complete =
      in.ReadFixed64(&header.id.epoch) && in.ReadFixed64(&header.id.counter) &&
      in.ReadFixed64(&header.first.value) &&
      in.ReadFixed64(&header.generation_start.value) &&
      in.ReadFixed64(&header.kept_from.value) &&
      in.ReadFixed64(&header.recovered_at.value) &&
      in.ReadFixed64(&header.source_epoch) &&
      in.ReadFixed64(&header.predecessor) &&
      in.ReadFixed64(&header.predecessor_bytes) &&
      in.ReadFixed64(&created_micros) && in.ReadFixed32(&reserved);
  SHALE_CHECK(complete);
  if (reserved != 0) return absl::DataLossError("header: reserved bytes set");
  header.created = absl::FromUnixMicros(static_cast<int64_t>(created_micros));
  return header;
}

}  // namespace shale
