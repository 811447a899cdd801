// Any bytes with a checksum that fits them: a block that decodes has the length
// that its header says, and encodes and decodes again.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/check.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"
#include "shale/cache/block_cache.h"
#include "shale/storefile/block_format.h"

namespace shale {
namespace {

constexpr uint64_t kOffset = 16;
// Compressed blocks that unpack to more cost more time than they tell.
constexpr uint32_t kMaxRawBytes = 1 << 20;

void DecodeSealed(absl::string_view header_and_stored) {
  const absl::StatusOr<BlockHeader> header =
      DecodeBlockHeader(header_and_stored);
  if (!header.ok() || header->raw_bytes > kMaxRawBytes) return;
  std::string summed;
  PutFixed64(&summed, kOffset);
  summed.append(header_and_stored.data(), header_and_stored.size());
  std::string block(header_and_stored);
  PutFixed32(&block, Crc32c(summed));
  const absl::StatusOr<std::string> raw =
      DecodeBlock(block, kOffset, header->kind);
  if (!raw.ok()) return;
  SHALE_CHECK(raw->size() == header->raw_bytes);
  SHALE_CHECK(block.size() == header->block_bytes());
  std::string again;
  AppendBlock(header->kind, header->compression, *raw, kOffset, &again);
  const absl::StatusOr<std::string> raw_again =
      DecodeBlock(again, kOffset, header->kind);
  SHALE_CHECK_OK(raw_again);
  SHALE_CHECK(*raw_again == *raw);
}

}  // namespace
}  // namespace shale

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  shale::DecodeSealed(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
