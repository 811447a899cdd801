#include "shale/storefile/block_format.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "shale/base/check.h"
#include "shale/base/crc32c.h"
#include "shale/base/status_macros.h"
#include "shale/storefile/compression_codec.h"

namespace shale {
namespace {

// Kinds on disk; zero is none, so that a hole in a file is no block.
constexpr BlockKind kKindOfCode[] = {BlockKind::kData, BlockKind::kIndex,
                                     BlockKind::kBloom, BlockKind::kMeta};

uint8_t CodeOf(BlockKind kind) { return static_cast<uint8_t>(kind) + 1; }

// The offset is part of what is summed, so that a block found where another
// should be is a bad block.
uint32_t Checksum(uint64_t offset, absl::string_view header_and_stored) {
  char place[8];
  EncodeFixed64(place, offset);
  return ExtendCrc32c(Crc32c(absl::string_view(place, sizeof(place))),
                      header_and_stored);
}

}  // namespace

void PutBlockHandle(BlockHandle handle, std::string* out) {
  PutVarint64(out, handle.offset);
  PutVarint64(out, handle.bytes);
}

bool ReadBlockHandle(Decoder& in, BlockHandle* handle) {
  return in.ReadVarint64(&handle->offset) && in.ReadVarint32(&handle->bytes);
}

BlockHandle AppendBlock(BlockKind kind, Compression compression,
                        absl::string_view raw, uint64_t offset,
                        std::string* out) {
  SHALE_CHECK(!raw.empty() && raw.size() <= kMaxRawBlockBytes)
      << "block of " << raw.size() << " bytes";
  const size_t begin = out->size();
  out->append(kBlockHeaderBytes, '\0');
  const size_t stored_begin = out->size();
  if (compression != Compression::kNone) {
    Compress(compression, raw, out);
    if (out->size() - stored_begin >= raw.size()) {
      compression = Compression::kNone;
      out->resize(stored_begin);
    }
  }
  if (compression == Compression::kNone) out->append(raw.data(), raw.size());
  char* header = out->data() + begin;
  header[0] = static_cast<char>(CodeOf(kind));
  header[1] = static_cast<char>(compression);
  EncodeFixed32(header + 2, static_cast<uint32_t>(out->size() - stored_begin));
  EncodeFixed32(header + 6, static_cast<uint32_t>(raw.size()));
  PutFixed32(out, Checksum(offset, absl::string_view(*out).substr(begin)));
  return BlockHandle{.offset = offset,
                     .bytes = static_cast<uint32_t>(out->size() - begin)};
}

absl::StatusOr<BlockHeader> DecodeBlockHeader(absl::string_view bytes) {
  Decoder in(bytes);
  uint8_t kind, compression;
  BlockHeader header;
  if (!in.ReadFixed8(&kind) || !in.ReadFixed8(&compression) ||
      !in.ReadFixed32(&header.stored_bytes) ||
      !in.ReadFixed32(&header.raw_bytes)) {
    return absl::DataLossError(absl::StrCat(
        "header of ", bytes.size(), " bytes, want ", kBlockHeaderBytes));
  }
  if (kind == 0 || kind > std::size(kKindOfCode)) {
    return absl::DataLossError(absl::StrCat("unknown block kind ", kind));
  }
  if (!IsCompression(compression)) {
    return absl::DataLossError(
        absl::StrCat("unknown compression code ", compression));
  }
  header.kind = kKindOfCode[kind - 1];
  header.compression = static_cast<Compression>(compression);
  const bool stored_raw = header.compression == Compression::kNone;
  if (header.stored_bytes == 0 || header.raw_bytes > kMaxRawBlockBytes ||
      (stored_raw ? header.stored_bytes != header.raw_bytes
                  : header.stored_bytes >= header.raw_bytes)) {
    return absl::DataLossError(
        absl::StrCat("impossible lengths, stored ", header.stored_bytes,
                     ", raw ", header.raw_bytes, ", compression ",
                     CompressionName(header.compression)));
  }
  return header;
}

absl::StatusOr<std::string> DecodeBlock(absl::string_view block,
                                        uint64_t offset, BlockKind kind) {
  if (block.size() < kBlockFrameBytes) {
    return absl::DataLossError(absl::StrCat(
        "block of ", block.size(), " bytes, want at least ", kBlockFrameBytes));
  }
  const absl::string_view summed =
      block.substr(0, block.size() - kBlockChecksumBytes);
  const uint32_t want = DecodeFixed32(block.data() + summed.size());
  if (const uint32_t got = Checksum(offset, summed); got != want) {
    return absl::DataLossError(absl::StrFormat(
        "crc32c 0x%08x, want 0x%08x (length %d)", got, want, block.size()));
  }
  SHALE_ASSIGN_OR_RETURN(const BlockHeader header, DecodeBlockHeader(summed));
  if (header.block_bytes() != block.size()) {
    return absl::DataLossError(absl::StrCat(
        "header says ", header.block_bytes(), " bytes, want ", block.size()));
  }
  if (header.kind != kind) {
    return absl::DataLossError(absl::StrCat(
        BlockKindName(header.kind), " block, want ", BlockKindName(kind)));
  }
  const absl::string_view stored = summed.substr(kBlockHeaderBytes);
  if (header.compression == Compression::kNone) return std::string(stored);
  return Decompress(header.compression, stored, header.raw_bytes);
}

}  // namespace shale
