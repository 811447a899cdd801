// A manifest that decodes encodes to the same bytes, unless its version is old.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/check.h"
#include "shale/region/manifest_codec.h"
#include "shale/region/testing/metadata_fuzz.h"

namespace shale {
namespace {

constexpr size_t kVersionAt = 8;

void Test(absl::string_view bytes) {
  const absl::StatusOr<Manifest> decoded =
      DecodeManifest({std::string(bytes), MetaVersion()});
  if (!decoded.ok()) return;
  const std::string encoded = EncodeManifest(*decoded);
  const bool is_old = encoded[kVersionAt] != bytes[kVersionAt];
  SHALE_CHECK(is_old || encoded == bytes);
}

}  // namespace
}  // namespace shale

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  shale::FuzzMetadata(data, size, shale::Test);
  return 0;
}
