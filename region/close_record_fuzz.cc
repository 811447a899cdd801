// A close record that decodes encodes to the same bytes.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/check.h"
#include "shale/region/close_record.h"
#include "shale/region/testing/metadata_fuzz.h"

namespace shale {
namespace {

void Test(absl::string_view bytes) {
  const absl::StatusOr<CloseRecord> decoded =
      CloseRecord::Decode({std::string(bytes), MetaVersion()});
  if (!decoded.ok()) return;
  SHALE_CHECK(decoded->Encode() == bytes);
}

}  // namespace
}  // namespace shale

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  shale::FuzzMetadata(data, size, shale::Test);
  return 0;
}
