// Whatever a segment's file holds, reading it ends, in order and within it.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/check.h"
#include "shale/wal/log_entry.h"
#include "shale/wal/segment_header.h"
#include "shale/wal/segment_reader.h"
#include "shale/wal/testing/string_read_file.h"

namespace shale {
namespace {

void TestRecords(ReadFile& file, SegmentId id, LogPosition first) {
  SegmentReader reader(file, "fuzz", id, first, file.size());
  while (true) {
    const LogPosition before = reader.position();
    const absl::StatusOr<bool> more = reader.Next();
    if (!more.ok()) return;
    if (!*more) break;
    SHALE_CHECK(reader.record().position == reader.position());
    SHALE_CHECK(reader.record().durable_to <= before);
    SHALE_CHECK(before < reader.position());
    SHALE_CHECK(reader.offset() <= file.size());
  }
  if (reader.damage().ok()) {
    SHALE_CHECK(reader.offset() == file.size());
    return;
  }
  const absl::StatusOr<SegmentReader::Witness> witness = reader.FindWitness();
  SHALE_CHECK_OK(witness);
  SHALE_CHECK(witness->durable_to == kLogStart ||
              witness->offset > reader.offset());
}

void Test(std::string bytes) {
  StringReadFile file(bytes);
  const absl::StatusOr<SegmentHeader> header = DecodeSegmentHeader(bytes);
  if (header.ok()) {
    SHALE_CHECK(EncodeSegmentHeader(*header) ==
                bytes.substr(0, kSegmentHeaderBytes));
    TestRecords(file, header->id, header->first);
  }
  SHALE_CHECK_OK(ReadHeaderlessSegment(file, {2, 1}));
}

}  // namespace
}  // namespace shale

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  shale::Test(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
