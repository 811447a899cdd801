#ifndef SHALE_STOREFILE_COMPRESSION_CODEC_H_
#define SHALE_STOREFILE_COMPRESSION_CODEC_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/storefile/compression.h"

namespace shale {

// OK, or UNIMPLEMENTED if this build doesn't have the codec.
absl::Status CheckAvailable(Compression compression);

// Appends `raw`, compressed, to `out`. REQUIRES: `compression` is available and
// not kNone, raw.size() <= kMaxRawBlockBytes.
void Compress(Compression compression, absl::string_view raw, std::string* out);

// The inverse. UNIMPLEMENTED without the codec; DATA_LOSS if `stored` isn't the
// compressed form of exactly `raw_bytes` bytes. Allocates no more than those.
absl::StatusOr<std::string> Decompress(Compression compression,
                                       absl::string_view stored,
                                       size_t raw_bytes);

}  // namespace shale

#endif  // SHALE_STOREFILE_COMPRESSION_CODEC_H_
