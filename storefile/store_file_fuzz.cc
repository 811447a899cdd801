// Any bytes as a whole file, as they are and with checksums that fit them:
// opened, scanned, asked and verified, it may say what is wrong with it, and
// nothing worse. What verifies can be scanned.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/check.h"
#include "shale/base/coding.h"
#include "shale/base/crc32c.h"
#include "shale/cache/lru_block_cache.h"
#include "shale/cell/cell_key.h"
#include "shale/cell/cell_scanner.h"
#include "shale/storefile/block_format.h"
#include "shale/storefile/file_frame.h"
#include "shale/storefile/store_file_reader.h"
#include "shale/storefile/testing/store_file_bytes.h"

namespace shale {
namespace {

// An index whose entries lead to one block again and again makes a scan long.
constexpr int kMaxSteps = 10'000;
// Compressed blocks that unpack to more cost more time than they tell.
constexpr uint32_t kMaxRawBytes = 1 << 20;

// For calls that may fail or not.
template <typename T>
void AnyAnswer(const T&) {}

void Seal(size_t begin, size_t end, std::string summed_before,
          std::string* bytes) {
  summed_before.append(*bytes, begin, end - begin);
  EncodeFixed32(bytes->data() + end, Crc32c(summed_before));
}

// The file with all its checksums made right, as far as its blocks can be
// found.
std::string Sealed(std::string bytes) {
  if (bytes.size() < kMinFileBytes) return bytes;
  const size_t footer = bytes.size() - kFileFooterBytes;
  Seal(0, kFileHeaderBytes - 4, "", &bytes);
  Seal(footer, bytes.size() - 4, "", &bytes);
  for (size_t offset = kFileHeaderBytes; offset < footer;) {
    const absl::StatusOr<BlockHeader> header =
        DecodeBlockHeader(absl::string_view(bytes).substr(offset));
    if (!header.ok() || header->raw_bytes > kMaxRawBytes ||
        header->block_bytes() > footer - offset) {
      break;
    }
    const size_t end = offset + header->block_bytes();
    std::string place;
    PutFixed64(&place, offset);
    Seal(offset, end - kBlockChecksumBytes, place, &bytes);
    offset = end;
  }
  return bytes;
}

absl::Status Scan(const StoreFileReader& reader) {
  const std::unique_ptr<CellScanner> scanner = reader.NewScanner({});
  absl::Status status = scanner->Seek("");
  for (int i = 0; i < kMaxSteps && scanner->cell() != nullptr; ++i) {
    SHALE_CHECK_OK(status);
    SHALE_CHECK(IsComparableCellKey(scanner->key()));
    AnyAnswer(reader.MayContainColumn(scanner->cell()->row,
                                      scanner->cell()->qualifier));
    status = scanner->Next();
  }
  SHALE_CHECK(status.ok() || scanner->cell() == nullptr);
  return status;
}

void UseFile(std::string bytes) {
  LruBlockCache cache({.capacity_bytes = 4 << 20});
  const absl::StatusOr<std::unique_ptr<StoreFileReader>> reader =
      OpenBytes(std::move(bytes), cache);
  if (!reader.ok()) return;
  const absl::Status scanned = Scan(**reader);
  AnyAnswer((*reader)->MiddleRow());
  AnyAnswer((*reader)->MayContainRow((*reader)->info().last_row));
  const std::unique_ptr<CellScanner> scanner = (*reader)->NewScanner({});
  AnyAnswer(scanner->Seek(FirstKeyOfRow((*reader)->info().last_row)));
  const absl::Status verified = (*reader)->Verify(nullptr);
  SHALE_CHECK(scanned.ok() || !verified.ok()) << scanned;
}

}  // namespace
}  // namespace shale

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  shale::UseFile(bytes);
  shale::UseFile(shale::Sealed(bytes));
  return 0;
}
