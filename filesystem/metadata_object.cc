#include "shale/filesystem/metadata_object.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"
#include "shale/filesystem/outcome.h"

namespace shale {
namespace {

constexpr uint64_t kMetadataObjectMagic = 0x5348414c454d4554;  // "SHALEMET"

absl::Status Corrupt(absl::string_view name, absl::string_view reason) {
  return FileError(FileOutcome::kCorrupt, "read", name, reason);
}

}  // namespace

std::string EncodeMetadataObject(const MetaObject& object) {
  std::string body;
  PutFixed64(&body, object.version.value);
  PutFixed32(&body, static_cast<uint32_t>(object.bytes.size()));
  body += object.bytes;
  std::string file;
  PutFixed64(&file, kMetadataObjectMagic);
  PutFixed32(&file, kMetadataObjectFormat);
  PutFixed32(&file, Crc32c(body));
  return file + body;
}

absl::StatusOr<MetaObject> DecodeMetadataObject(absl::string_view name,
                                                absl::string_view bytes) {
  Decoder in(bytes);
  uint64_t magic;
  uint32_t format, crc, length;
  MetaObject object;
  if (!in.ReadFixed64(&magic) || !in.ReadFixed32(&format)) {
    return Corrupt(name, absl::StrCat(bytes.size(), " bytes, want at least ",
                                      kMetadataObjectHeaderBytes));
  }
  if (magic != kMetadataObjectMagic) {
    return Corrupt(name, absl::StrFormat("magic 0x%x, want 0x%x", magic,
                                         kMetadataObjectMagic));
  }
  if (format > kMetadataObjectFormat) {
    return FileError(FileOutcome::kConflict, "read", name,
                     absl::StrCat("format version ", format, ", want at most ",
                                  kMetadataObjectFormat));
  }
  if (!in.ReadFixed32(&crc) || !in.ReadFixed64(&object.version.value) ||
      !in.ReadFixed32(&length)) {
    return Corrupt(name, absl::StrCat(bytes.size(), " bytes, want at least ",
                                      kMetadataObjectHeaderBytes));
  }
  if (in.remaining() != length) {
    return Corrupt(
        name,
        absl::StrCat(in.remaining(), " bytes after the header, want ", length));
  }
  const uint32_t actual = Crc32c(bytes.substr(8 + 4 + 4));
  if (actual != crc) {
    return Corrupt(name,
                   absl::StrFormat("crc32c 0x%08x, want 0x%08x", actual, crc));
  }
  if (format == 0 || object.version == MetaVersion()) {
    return Corrupt(name, "format or object version 0");
  }
  object.bytes = std::string(bytes.substr(kMetadataObjectHeaderBytes));
  return object;
}

}  // namespace shale
