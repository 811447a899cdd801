#include "shale/storefile/compression_codec.h"

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"

#if SHALE_HAVE_LZ4
#include <lz4.h>
#endif
#if SHALE_HAVE_ZSTD
#include <zstd.h>
#endif
#if SHALE_HAVE_SNAPPY
#include <snappy.h>
#endif

namespace shale {
namespace {

struct Codec {
  // The most bytes that `raw_bytes` bytes may be compressed to.
  size_t (*bound)(size_t raw_bytes);
  // Compresses to `out`, of that size, and returns the bytes used.
  size_t (*compress)(absl::string_view raw, char* out, size_t out_bytes);
  // Unpacks to exactly `raw_bytes` bytes at `out`, or returns false.
  bool (*decompress)(absl::string_view stored, char* out, size_t raw_bytes);
};

#if SHALE_HAVE_LZ4
constexpr Codec kLz4 = {
    .bound = [](size_t raw_bytes) -> size_t {
      return LZ4_compressBound(static_cast<int>(raw_bytes));
    },
    .compress = [](absl::string_view raw, char* out,
                   size_t out_bytes) -> size_t {
      return LZ4_compress_default(raw.data(), out, static_cast<int>(raw.size()),
                                  static_cast<int>(out_bytes));
    },
    .decompress =
        [](absl::string_view stored, char* out, size_t raw_bytes) {
          return LZ4_decompress_safe(stored.data(), out,
                                     static_cast<int>(stored.size()),
                                     static_cast<int>(raw_bytes)) ==
                 static_cast<int>(raw_bytes);
        },
};
const Codec* Lz4() { return &kLz4; }
#else
const Codec* Lz4() { return nullptr; }
#endif

#if SHALE_HAVE_ZSTD
constexpr Codec kZstd = {
    .bound = [](size_t raw_bytes) { return ZSTD_compressBound(raw_bytes); },
    .compress =
        [](absl::string_view raw, char* out, size_t out_bytes) {
          const size_t used = ZSTD_compress(out, out_bytes, raw.data(),
                                            raw.size(), ZSTD_CLEVEL_DEFAULT);
          SHALE_CHECK(!ZSTD_isError(used)) << ZSTD_getErrorName(used);
          return used;
        },
    .decompress =
        [](absl::string_view stored, char* out, size_t raw_bytes) {
          return ZSTD_decompress(out, raw_bytes, stored.data(),
                                 stored.size()) == raw_bytes;
        },
};
const Codec* Zstd() { return &kZstd; }
#else
const Codec* Zstd() { return nullptr; }
#endif

#if SHALE_HAVE_SNAPPY
constexpr Codec kSnappy = {
    .bound =
        [](size_t raw_bytes) { return snappy::MaxCompressedLength(raw_bytes); },
    .compress =
        [](absl::string_view raw, char* out, size_t) {
          size_t used;
          snappy::RawCompress(raw.data(), raw.size(), out, &used);
          return used;
        },
    .decompress =
        [](absl::string_view stored, char* out, size_t raw_bytes) {
          size_t length;
          return snappy::GetUncompressedLength(stored.data(), stored.size(),
                                               &length) &&
                 length == raw_bytes &&
                 snappy::RawUncompress(stored.data(), stored.size(), out);
        },
};
const Codec* Snappy() { return &kSnappy; }
#else
const Codec* Snappy() { return nullptr; }
#endif

// Null without the library, and for kNone.
const Codec* CodecOf(Compression compression) {
  switch (compression) {
    case Compression::kLz4:
      return Lz4();
    case Compression::kZstd:
      return Zstd();
    case Compression::kSnappy:
      return Snappy();
    case Compression::kNone:
      break;
  }
  return nullptr;
}

}  // namespace

absl::Status CheckAvailable(Compression compression) {
  if (IsAvailable(compression)) return absl::OkStatus();
  const absl::string_view name = CompressionName(compression);
  return absl::UnimplementedError(
      absl::StrCat("compression ", name, " is not in this build: lib", name,
                   " was missing when Shale was built"));
}

void Compress(Compression compression, absl::string_view raw,
              std::string* out) {
  const Codec* codec = CodecOf(compression);
  SHALE_CHECK(codec != nullptr) << "no codec " << CompressionName(compression);
  const size_t offset = out->size();
  const size_t bound = codec->bound(raw.size());
  out->resize(offset + bound);
  const size_t used = codec->compress(raw, out->data() + offset, bound);
  SHALE_CHECK(used > 0 && used <= bound)
      << CompressionName(compression) << " of " << raw.size() << " bytes";
  out->resize(offset + used);
}

absl::StatusOr<std::string> Decompress(Compression compression,
                                       absl::string_view stored,
                                       size_t raw_bytes) {
  if (absl::Status status = CheckAvailable(compression); !status.ok()) {
    return status;
  }
  const Codec* codec = CodecOf(compression);
  SHALE_CHECK(codec != nullptr) << "no codec " << CompressionName(compression);
  std::string raw(raw_bytes, '\0');
  if (!codec->decompress(stored, raw.data(), raw_bytes)) {
    return absl::DataLossError(absl::StrCat(
        stored.size(), " bytes are not the ", CompressionName(compression),
        " form of ", raw_bytes, " bytes"));
  }
  return raw;
}

}  // namespace shale
