#ifndef SHALE_REGION_TESTING_NEWER_VERSION_H_
#define SHALE_REGION_TESTING_NEWER_VERSION_H_

#include <string>

#include "shale/base/cxx_standard.h"

namespace shale {

// A sound file as a build of a later format would have written it: its version
// is one higher, and all checksums hold. Nothing else is.

std::string NewerSegment(std::string bytes);
std::string NewerStoreFile(std::string bytes);
// Of a metadata object's own frame.
std::string NewerMetaObject(std::string bytes);
// Of what the region keeps in a metadata object: catalog, manifest, close
// record.
std::string NewerMetadata(std::string bytes);

}  // namespace shale

#endif  // SHALE_REGION_TESTING_NEWER_VERSION_H_
