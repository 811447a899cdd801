#ifndef SHALE_REGION_TESTING_METADATA_FUZZ_H_
#define SHALE_REGION_TESTING_METADATA_FUZZ_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"

namespace shale {

// Has `test` decode a fuzzer's bytes as they are, and with a checksum of them
// at the end, as metadata objects have one: the checksum alone would refuse
// nearly everything that a fuzzer makes.
inline void FuzzMetadata(const uint8_t* data, size_t size,
                         absl::FunctionRef<void(absl::string_view)> test) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  test(bytes);
  std::string sealed(bytes);
  PutFixed32(&sealed, Crc32c(bytes));
  test(sealed);
}

}  // namespace shale

#endif  // SHALE_REGION_TESTING_METADATA_FUZZ_H_
