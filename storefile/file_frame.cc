#include "shale/storefile/file_frame.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"
#include "shale/base/status_macros.h"

namespace shale {
namespace {

// "SHALESTF" as it lies in the file.
constexpr uint64_t kStoreFileMagic = 0x465453454c414853;

void PutRoot(const IndexRoot& root, std::string* out) {
  PutFixed64(out, root.handle.offset);
  PutFixed32(out, root.handle.bytes);
  PutFixed8(out, static_cast<uint8_t>(root.levels));
}

bool ReadRoot(Decoder& in, IndexRoot* root) {
  uint8_t levels;
  if (!in.ReadFixed64(&root->handle.offset) ||
      !in.ReadFixed32(&root->handle.bytes) || !in.ReadFixed8(&levels)) {
    return false;
  }
  root->levels = levels;
  return true;
}

// Ends `out` with the checksum of all that is in it.
void PutChecksum(std::string* out) { PutFixed32(out, Crc32c(*out)); }

absl::Status CheckChecksum(absl::string_view what, absl::string_view bytes) {
  const absl::string_view summed = bytes.substr(0, bytes.size() - 4);
  const uint32_t want = DecodeFixed32(bytes.data() + summed.size());
  const uint32_t got = Crc32c(summed);
  if (got == want) return absl::OkStatus();
  return absl::DataLossError(
      absl::StrFormat("%s: crc32c 0x%08x, want 0x%08x", what, got, want));
}

absl::Status CheckVersion(uint32_t version) {
  if (version == kStoreFileVersion) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("store file of version ", version,
                   ", this build reads versions 1 to ", kStoreFileVersion));
}

// That the block may lie in a file, ends where `end` says, and begins behind
// the header; then `end` becomes its beginning.
bool EndsAt(BlockHandle block, uint64_t* end) {
  if (block.bytes <= kBlockFrameBytes || block.bytes > *end ||
      block.offset != *end - block.bytes || block.offset < kFileHeaderBytes) {
    return false;
  }
  *end = block.offset;
  return true;
}

bool RootEndsAt(const IndexRoot& root, uint64_t* end) {
  if (root.levels == 0) return root.handle == BlockHandle{};
  return root.levels <= kMaxIndexLevels && EndsAt(root.handle, end);
}

}  // namespace

std::string EncodeFileHeader() {
  std::string header;
  PutFixed64(&header, kStoreFileMagic);
  PutFixed32(&header, kStoreFileVersion);
  PutChecksum(&header);
  return header;
}

absl::Status CheckFileHeader(absl::string_view header) {
  if (header.size() != kFileHeaderBytes ||
      DecodeFixed64(header.data()) != kStoreFileMagic) {
    return absl::DataLossError("header at offset 0: no store file magic");
  }
  SHALE_RETURN_IF_ERROR(CheckChecksum("header at offset 0", header));
  return CheckVersion(DecodeFixed32(header.data() + 8));
}

uint64_t FileFooter::tail_offset() const {
  if (index.levels > 0) return index.handle.offset;
  return bloom.levels > 0 ? bloom.handle.offset : info.offset;
}

std::string EncodeFileFooter(const FileFooter& footer) {
  std::string bytes;
  PutRoot(footer.index, &bytes);
  PutRoot(footer.bloom, &bytes);
  PutFixed64(&bytes, footer.info.offset);
  PutFixed32(&bytes, footer.info.bytes);
  PutFixed64(&bytes, footer.file_bytes);
  PutFixed32(&bytes, kStoreFileVersion);
  PutFixed64(&bytes, kStoreFileMagic);
  PutChecksum(&bytes);
  return bytes;
}

absl::StatusOr<FileFooter> DecodeFileFooter(absl::string_view bytes,
                                            uint64_t file_bytes) {
  if (bytes.size() < kFileFooterBytes || file_bytes < kMinFileBytes) {
    return absl::DataLossError(absl::StrCat(
        "file of ", file_bytes, " bytes, want at least ", kMinFileBytes));
  }
  bytes = bytes.substr(bytes.size() - kFileFooterBytes);
  const std::string what =
      absl::StrCat("footer at offset ", file_bytes - kFileFooterBytes);
  SHALE_RETURN_IF_ERROR(CheckChecksum(what, bytes));
  Decoder in(bytes);
  FileFooter footer;
  uint32_t version = 0;
  uint64_t magic = 0;
  if (!ReadRoot(in, &footer.index) || !ReadRoot(in, &footer.bloom) ||
      !in.ReadFixed64(&footer.info.offset) ||
      !in.ReadFixed32(&footer.info.bytes) ||
      !in.ReadFixed64(&footer.file_bytes) || !in.ReadFixed32(&version) ||
      !in.ReadFixed64(&magic) || magic != kStoreFileMagic) {
    return absl::DataLossError(absl::StrCat(what, ": no store file magic"));
  }
  SHALE_RETURN_IF_ERROR(CheckVersion(version));
  if (footer.file_bytes != file_bytes) {
    return absl::DataLossError(absl::StrCat(
        what, ": file of ", file_bytes, " bytes, want ", footer.file_bytes));
  }
  uint64_t end = footer.offset();
  if (!EndsAt(footer.info, &end) || !RootEndsAt(footer.bloom, &end) ||
      !RootEndsAt(footer.index, &end)) {
    return absl::DataLossError(
        absl::StrCat(what, ": blocks that don't end where the next begins"));
  }
  return footer;
}

}  // namespace shale
