#include "shale/wal/log_scan.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "shale/base/status_macros.h"
#include "shale/wal/log_files.h"
#include "shale/wal/segment_reader.h"

namespace shale {
namespace {

// A generation without its `recovered` marker was to replace `want`, whose
// files go only when the marker is durable: if they are gone, the marker was
// there.
absl::Status CheckSource(const Generation& incomplete, uint64_t want) {
  if (incomplete.segments.empty()) return absl::OkStatus();
  const LogSegment& first = incomplete.segments.front();
  if (first.header.source_epoch == want) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(
      first.name, ": no recovered marker up to offset ", first.end_offset,
      ", and generation ", first.header.source_epoch,
      ", which it was recovered from, is gone"));
}

}  // namespace

absl::StatusOr<LogScan> LogScan::Open(FileSystem& file_system,
                                      absl::string_view directory) {
  SHALE_ASSIGN_OR_RETURN(const std::vector<LogFile> files,
                         ListLogFiles(file_system, directory));
  LogScan scan;
  std::vector<Generation> incomplete;
  auto end = files.end();
  while (end != files.begin() && scan.epoch() == 0) {
    const auto begin =
        std::find_if(files.begin(), end,
                     [epoch = std::prev(end)->id.epoch](const LogFile& f) {
                       return f.id.epoch == epoch;
                     });
    SHALE_ASSIGN_OR_RETURN(
        Generation generation,
        ReadGeneration(file_system, directory,
                       absl::MakeSpan(&*begin, end - begin)));
    if (generation.complete) {
      scan.generation_ = std::move(generation);
    } else {
      incomplete.push_back(std::move(generation));
    }
    end = begin;
  }
  for (const Generation& generation : incomplete) {
    SHALE_RETURN_IF_ERROR(CheckSource(generation, scan.epoch()));
  }

  absl::flat_hash_set<absl::string_view> used;
  for (const LogSegment& segment : scan.segments()) used.insert(segment.name);
  for (const LogFile& file : files) {
    if (!used.contains(file.name)) scan.ignored_files_.push_back(file.name);
  }
  return scan;
}

absl::Status LogScan::ForEach(Visitor visit) const {
  for (const LogSegment& segment : segments()) {
    SegmentReader reader(*segment.file, segment.name, segment.header.id,
                         segment.header.first, segment.end_offset);
    while (true) {
      SHALE_ASSIGN_OR_RETURN(const bool more, reader.Next());
      if (!more) break;
      SHALE_RETURN_IF_ERROR(visit(
          reader.record(), RecordPlace{segment.name, reader.record_offset()}));
    }
    SHALE_RETURN_IF_ERROR(reader.damage());
  }
  return absl::OkStatus();
}

LogExtent LogScan::extent() const {
  if (segments().empty()) return {};
  const SegmentHeader& oldest = segments().front().header;
  const LogSegment& newest = segments().back();
  return {.epoch = generation_.epoch,
          .generation_start = oldest.generation_start,
          .first = oldest.first,
          .end = generation_.end,
          .last_segment = newest.name,
          .end_offset = newest.end_offset};
}

}  // namespace shale
