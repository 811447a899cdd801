#include "shale/filesystem/metadata_object.h"

#include <cstdint>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"
#include "shale/filesystem/outcome.h"

namespace shale {
namespace {

constexpr uint64_t kMetadataObjectMagic = 0x5348414c454d4554;  // "SHALEMET"

// Where the fields begin.
constexpr size_t kFormatAt = 8;
constexpr size_t kCrcAt = kFormatAt + 4;
constexpr size_t kVersionAt = kCrcAt + 4;
constexpr size_t kLengthAt = kVersionAt + 8;
static_assert(kLengthAt + 4 == kMetadataObjectHeaderBytes);

absl::Status Corrupt(absl::string_view file, absl::string_view reason) {
  return FileError(FileOutcome::kCorrupt, "read", file, reason);
}

absl::Status TooShort(absl::string_view file, absl::string_view bytes) {
  return Corrupt(
      file, absl::StrCat("ends at offset ", bytes.size(), ", want at least ",
                         kMetadataObjectHeaderBytes, " bytes"));
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

absl::StatusOr<MetaObject> DecodeMetadataObject(absl::string_view file,
                                                absl::string_view bytes) {
  Decoder in(bytes);
  uint64_t magic;
  uint32_t format, crc, length;
  MetaObject object;
  if (!in.ReadFixed64(&magic) || !in.ReadFixed32(&format)) {
    return TooShort(file, bytes);
  }
  if (magic != kMetadataObjectMagic) {
    return Corrupt(file, absl::StrFormat("magic at offset 0 is %#018x, want "
                                         "%#018x",
                                         magic, kMetadataObjectMagic));
  }
  if (format > kMetadataObjectFormat) {
    return FileError(
        FileOutcome::kConflict, "read", file,
        absl::StrCat("format version at offset ", kFormatAt, " is ", format,
                     ", this build reads 1 to ", kMetadataObjectFormat));
  }
  if (!in.ReadFixed32(&crc) || !in.ReadFixed64(&object.version.value) ||
      !in.ReadFixed32(&length)) {
    return TooShort(file, bytes);
  }
  if (in.remaining() != length) {
    return Corrupt(file,
                   absl::StrCat("length at offset ", kLengthAt, " is ", length,
                                ", and ", in.remaining(), " bytes follow"));
  }
  const absl::string_view checked = bytes.substr(kVersionAt);
  const uint32_t actual = Crc32c(checked);
  if (actual != crc) {
    return Corrupt(file,
                   absl::StrFormat("crc32c at offset %d is %#010x, want %#010x "
                                   "(length %d)",
                                   kCrcAt, crc, actual, checked.size()));
  }
  if (format == 0 || object.version == MetaVersion()) {
    return Corrupt(
        file, absl::StrCat("0 at offset ", format == 0 ? kFormatAt : kVersionAt,
                           ", want at least 1"));
  }
  if (object.version.value == std::numeric_limits<uint64_t>::max()) {
    return Corrupt(file, absl::StrCat("version at offset ", kVersionAt,
                                      " is the largest that there can be, so "
                                      "no commit can have made it"));
  }
  object.bytes = std::string(bytes.substr(kMetadataObjectHeaderBytes));
  object.file = std::string(file);
  object.file_offset = kMetadataObjectHeaderBytes;
  return object;
}

}  // namespace shale
