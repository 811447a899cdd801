// Any bytes with a checksum that fits them, as the footer and as the info of a
// file: what decodes encodes to the same bytes.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/check.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"
#include "shale/storefile/file_frame.h"
#include "shale/storefile/file_info_codec.h"
#include "shale/storefile/store_file_info.h"

namespace shale {
namespace {

void DecodeSealedFooter(absl::string_view input) {
  std::string footer(input);
  PutFixed32(&footer, Crc32c(footer));
  // The length that the footer claims: otherwise hardly any would pass.
  const uint64_t file_bytes =
      footer.size() == kFileFooterBytes
          ? DecodeFixed64(footer.data() + footer.size() - 24)
          : footer.size();
  const absl::StatusOr<FileFooter> decoded =
      DecodeFileFooter(footer, file_bytes);
  if (!decoded.ok()) return;
  SHALE_CHECK(decoded->tail_offset() >= kFileHeaderBytes);
  SHALE_CHECK(decoded->tail_offset() < decoded->offset());
  SHALE_CHECK(EncodeFileFooter(*decoded) ==
              footer.substr(footer.size() - kFileFooterBytes));
}

void DecodeInfo(absl::string_view input) {
  const absl::StatusOr<StoreFileInfo> info = DecodeStoreFileInfo(input);
  if (info.ok()) SHALE_CHECK(EncodeStoreFileInfo(*info) == input);
}

}  // namespace
}  // namespace shale

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view input(reinterpret_cast<const char*>(data), size);
  shale::DecodeSealedFooter(input);
  shale::DecodeInfo(input);
  return 0;
}
