// Uuids as bytes, beside what coding.h has for integers and strings.
#ifndef SHALE_BASE_UUID_CODING_H_
#define SHALE_BASE_UUID_CODING_H_

#include <string>

#include "shale/base/coding.h"
#include "shale/base/uuid.h"

namespace shale {

// Appends its Uuid::kBytes bytes to `*out`.
void PutUuid(std::string* out, const Uuid& uuid);

// Reads what PutUuid wrote; as the methods of Decoder.
bool ReadUuid(Decoder& in, Uuid* uuid);

}  // namespace shale

#endif  // SHALE_BASE_UUID_CODING_H_
