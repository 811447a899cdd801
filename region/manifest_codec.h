#ifndef SHALE_REGION_MANIFEST_CODEC_H_
#define SHALE_REGION_MANIFEST_CODEC_H_

#include <string>

#include "absl/status/statusor.h"
#include "shale/filesystem/file_system.h"
#include "shale/region/manifest.h"

namespace shale {

// docs/formats/manifest.md, version 3; reads 1 and 2 too.
std::string EncodeManifest(const Manifest& manifest);

// DATA_LOSS naming the object's file, the offset and what is wrong;
// FAILED_PRECONDITION for a newer version.
absl::StatusOr<Manifest> DecodeManifest(const MetaObject& object);

}  // namespace shale

#endif  // SHALE_REGION_MANIFEST_CODEC_H_
