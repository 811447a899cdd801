// What decodes encodes to the same bytes.
#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/check.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/metadata_object.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  const absl::StatusOr<shale::MetaObject> object =
      shale::DecodeMetadataObject("fuzz", bytes);
  if (object.ok()) SHALE_CHECK(shale::EncodeMetadataObject(*object) == bytes);
  return 0;
}
