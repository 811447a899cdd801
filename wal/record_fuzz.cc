// A record that decodes encodes to the same bytes.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/check.h"
#include "shale/wal/log_entry.h"
#include "shale/wal/record_codec.h"

namespace shale {
namespace {

void Test(absl::string_view bytes) {
  const absl::StatusOr<LogRecord> record = DecodeRecord(bytes);
  if (!record.ok()) return;
  std::string encoded = EncodeRecord(record->entry);
  StampRecord({record->epoch, record->position, record->durable_to}, &encoded);
  SHALE_CHECK(encoded == bytes);
}

// Most inputs fail the checksum, so each is also tried with a right one.
void TestWithChecksum(std::string bytes) {
  if (bytes.size() < kRecordHeaderBytes) return;
  StampRecord(PeekRecordStamp(bytes), &bytes);
  Test(bytes);
}

}  // namespace
}  // namespace shale

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  shale::Test(bytes);
  shale::TestWithChecksum(std::string(bytes));
  return 0;
}
