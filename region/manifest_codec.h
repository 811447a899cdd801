#ifndef SHALE_REGION_MANIFEST_CODEC_H_
#define SHALE_REGION_MANIFEST_CODEC_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/region/manifest.h"

namespace shale {

// docs/formats/manifest.md, version 1.
std::string EncodeManifest(const Manifest& manifest);

// `name` is the object's, for messages. DATA_LOSS naming it, the offset and
// what is wrong; FAILED_PRECONDITION for a newer version.
absl::StatusOr<Manifest> DecodeManifest(absl::string_view name,
                                        absl::string_view bytes);

}  // namespace shale

#endif  // SHALE_REGION_MANIFEST_CODEC_H_
