#include "shale/base/uuid_coding.h"

#include <cstring>

#include "absl/strings/string_view.h"

namespace shale {

void PutUuid(std::string* out, const Uuid& uuid) {
  out->append(reinterpret_cast<const char*>(uuid.bytes.data()), Uuid::kBytes);
}

bool ReadUuid(Decoder& in, Uuid* uuid) {
  absl::string_view bytes;
  if (!in.ReadBytes(Uuid::kBytes, &bytes)) return false;
  std::memcpy(uuid->bytes.data(), bytes.data(), Uuid::kBytes);
  return true;
}

}  // namespace shale
