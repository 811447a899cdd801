// A close record that decodes encodes to the same bytes.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/check.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"
#include "shale/region/close_record.h"

namespace shale {
namespace {

void Test(absl::string_view bytes) {
  const absl::StatusOr<CloseRecord> decoded =
      CloseRecord::Decode({std::string(bytes), MetaVersion()});
  if (!decoded.ok()) return;
  SHALE_CHECK(decoded->Encode() == bytes);
}

// The checksum alone would refuse nearly everything that a fuzzer makes.
void TestWithChecksum(absl::string_view bytes) {
  std::string sealed(bytes);
  PutFixed32(&sealed, Crc32c(bytes));
  Test(sealed);
}

}  // namespace
}  // namespace shale

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  shale::Test(bytes);
  shale::TestWithChecksum(bytes);
  return 0;
}
