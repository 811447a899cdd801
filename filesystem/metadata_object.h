// How posix keeps a metadata object on disk: docs/formats/metadata_object.md.
#ifndef SHALE_FILESYSTEM_METADATA_OBJECT_H_
#define SHALE_FILESYSTEM_METADATA_OBJECT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/filesystem/file_system.h"

namespace shale {

inline constexpr uint32_t kMetadataObjectFormat = 1;
inline constexpr size_t kMetadataObjectHeaderBytes = 8 + 4 + 4 + 8 + 4;

// The whole file for `object`.
std::string EncodeMetadataObject(const MetaObject& object);

// The inverse, with the object's place in the file `file`. DATA_LOSS naming the
// file and the offset if `bytes` is no such file from its first byte to its
// last; FAILED_PRECONDITION if its format is newer than ours.
absl::StatusOr<MetaObject> DecodeMetadataObject(absl::string_view file,
                                                absl::string_view bytes);

}  // namespace shale

#endif  // SHALE_FILESYSTEM_METADATA_OBJECT_H_
