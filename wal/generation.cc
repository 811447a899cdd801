#include "shale/wal/generation.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "shale/base/coding.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/filesystem/blocking.h"
#include "shale/wal/log_entry.h"
#include "shale/wal/segment_reader.h"

namespace shale {
namespace {

// A file of the generation, opened; its header is sound or it isn't.
struct Candidate {
  SegmentId id;
  std::string name;
  std::unique_ptr<ReadFile> file;
  absl::StatusOr<SegmentHeader> header;
};

absl::StatusOr<SegmentHeader> ReadHeader(ReadFile& file, SegmentId id) {
  SHALE_ASSIGN_OR_RETURN(const std::string bytes,
                         file.ReadNow({0, kSegmentHeaderBytes}));
  SHALE_ASSIGN_OR_RETURN(const SegmentHeader header,
                         DecodeSegmentHeader(bytes));
  if (header.id != id) {
    return absl::DataLossError(
        absl::StrCat("header: says that it is ", SegmentName("", header.id)));
  }
  return header;
}

// Nothing if there is no such file. Only a header that can't be sound is an
// error in Candidate::header; a failed read and another version end it all.
absl::StatusOr<std::optional<Candidate>> OpenCandidate(FileSystem& file_system,
                                                       const LogFile& file) {
  auto opened = OpenFile(file_system, file.name);
  if (absl::IsNotFound(opened.status())) return std::nullopt;
  SHALE_RETURN_IF_ERROR(opened.status());
  absl::StatusOr<SegmentHeader> header = ReadHeader(**opened, file.id);
  if (!header.ok()) {
    header = Annotate(header.status(), file.name);
    if (!absl::IsDataLoss(header.status())) return header.status();
  }
  return Candidate{file.id, file.name, *std::move(opened), std::move(header)};
}

// Who says that the log was durable, and how far.
struct Vouch {
  LogPosition durable_to;
  std::string who;

  void Raise(LogPosition position, absl::string_view name, uint64_t offset) {
    if (position <= durable_to) return;
    durable_to = position;
    who = absl::StrCat("the record at offset ", offset, " of ", name,
                       " says that the log was durable to @", position.value);
  }
};

class GenerationReader {
 public:
  GenerationReader(FileSystem& file_system, absl::string_view directory)
      : file_system_(file_system), directory_(directory) {}

  absl::StatusOr<Generation> Read(absl::Span<const LogFile> files);

 private:
  absl::Status ReadHeaderlessTail();
  absl::Status ReadLast(LogSegment& segment);
  absl::Status ReadSealed(LogSegment& segment);
  absl::Status ReadRecords(SegmentReader& reader);
  absl::StatusOr<LogSegment> Predecessor(const LogSegment& segment);
  static LogSegment ToSegment(Candidate candidate);

  FileSystem& file_system_;
  const absl::string_view directory_;
  std::vector<Candidate> candidates_;  // Not yet in the chain; by id.
  Vouch vouch_;
  LogPosition kept_from_;
  Generation generation_;
};

LogSegment GenerationReader::ToSegment(Candidate candidate) {
  return {std::move(candidate.name), *std::move(candidate.header),
          std::move(candidate.file), 0};
}

absl::StatusOr<Generation> GenerationReader::Read(
    absl::Span<const LogFile> files) {
  for (const LogFile& file : files) {
    SHALE_ASSIGN_OR_RETURN(auto candidate, OpenCandidate(file_system_, file));
    if (candidate.has_value()) candidates_.push_back(*std::move(candidate));
  }
  generation_.epoch = files.empty() ? 0 : files.front().id.epoch;
  SHALE_RETURN_IF_ERROR(ReadHeaderlessTail());
  if (candidates_.empty()) return std::move(generation_);

  LogSegment segment = ToSegment(std::move(candidates_.back()));
  candidates_.pop_back();
  kept_from_ = segment.header.kept_from;
  SHALE_RETURN_IF_ERROR(ReadLast(segment));
  while (segment.header.first > kept_from_) {
    SHALE_ASSIGN_OR_RETURN(LogSegment predecessor, Predecessor(segment));
    generation_.complete |= segment.header.recovered_at != kLogStart;
    generation_.segments.push_back(std::move(segment));
    segment = std::move(predecessor);
    SHALE_RETURN_IF_ERROR(ReadSealed(segment));
  }
  generation_.complete |= segment.header.recovered_at != kLogStart;
  generation_.segments.push_back(std::move(segment));
  std::reverse(generation_.segments.begin(), generation_.segments.end());
  return std::move(generation_);
}

// A crash may leave the newest files without a header: made ahead, or begun and
// not synced. What their records say holds all the same.
absl::Status GenerationReader::ReadHeaderlessTail() {
  while (!candidates_.empty() && !candidates_.back().header.ok()) {
    const Candidate& last = candidates_.back();
    SHALE_ASSIGN_OR_RETURN(const HeaderlessSegment segment,
                           ReadHeaderlessSegment(*last.file, last.id));
    vouch_.Raise(segment.first, last.name, kSegmentHeaderBytes);
    vouch_.Raise(segment.witness.durable_to, last.name, segment.witness.offset);
    if (segment.witness.durable_to > segment.first) {
      return absl::DataLossError(
          absl::StrCat(last.header.status().message(), " (", vouch_.who, ")"));
    }
    generation_.torn_bytes += last.file->size();
    candidates_.pop_back();
  }
  return absl::OkStatus();
}

absl::Status GenerationReader::ReadRecords(SegmentReader& reader) {
  while (true) {
    SHALE_ASSIGN_OR_RETURN(const bool more, reader.Next());
    if (!more) return absl::OkStatus();
    const LogEntry& entry = reader.record().entry;
    if (entry.type == LogEntryType::kRecovered) generation_.complete = true;
    LogPosition trimmed;
    if (entry.type == LogEntryType::kTrimmed &&
        Decoder(entry.payload).ReadFixed64(&trimmed.value)) {
      kept_from_ = std::max(kept_from_, trimmed);
    }
  }
}

absl::Status GenerationReader::ReadLast(LogSegment& segment) {
  const uint64_t size = segment.file->size();
  SegmentReader reader(*segment.file, segment.name, segment.header.id,
                       segment.header.first, size);
  SHALE_RETURN_IF_ERROR(ReadRecords(reader));
  absl::Status damage = reader.damage();
  if (!damage.ok()) {
    SHALE_ASSIGN_OR_RETURN(const SegmentReader::Witness witness,
                           reader.FindWitness());
    vouch_.Raise(witness.durable_to, segment.name, witness.offset);
  }
  if (vouch_.durable_to > reader.position()) {
    if (damage.ok()) {
      damage = absl::DataLossError(
          absl::StrCat(segment.name, ": ends at offset ", size, ", at @",
                       reader.position().value));
    }
    return absl::DataLossError(
        absl::StrCat(damage.message(), " (", vouch_.who, ")"));
  }
  segment.end_offset = reader.offset();
  generation_.end = reader.position();
  generation_.torn_bytes += size - reader.offset();
  return absl::OkStatus();
}

absl::Status GenerationReader::ReadSealed(LogSegment& segment) {
  SegmentReader reader(*segment.file, segment.name, segment.header.id,
                       segment.header.first, segment.end_offset);
  SHALE_RETURN_IF_ERROR(ReadRecords(reader));
  return reader.damage();
}

absl::StatusOr<LogSegment> GenerationReader::Predecessor(
    const LogSegment& segment) {
  const SegmentHeader& header = segment.header;
  if (header.predecessor == 0) {
    return absl::DataLossError(
        absl::StrCat(segment.name, ": header: begins at @", header.first.value,
                     " without a predecessor, want @", kept_from_.value));
  }
  const SegmentId id{header.id.epoch, header.predecessor};
  while (!candidates_.empty() && candidates_.back().id > id) {
    candidates_.pop_back();  // Begun, and given up before anything was durable.
  }
  const std::string sealed = absl::StrCat(
      header.predecessor_bytes, " bytes (sealed by ", segment.name, ")");
  if (candidates_.empty() || candidates_.back().id != id) {
    return absl::DataLossError(
        absl::StrCat(SegmentName(directory_, id), ": missing, want ", sealed));
  }
  Candidate found = std::move(candidates_.back());
  candidates_.pop_back();
  if (!found.header.ok()) return found.header.status();
  if (found.file->size() < header.predecessor_bytes) {
    return absl::DataLossError(absl::StrCat(
        found.name, ": cut to ", found.file->size(), " bytes, want ", sealed));
  }
  LogSegment predecessor = ToSegment(std::move(found));
  predecessor.end_offset = header.predecessor_bytes;
  if (header.predecessor_bytes < kSegmentHeaderBytes ||
      predecessor.header.first.value + header.predecessor_bytes -
              kSegmentHeaderBytes !=
          header.first.value) {
    return absl::DataLossError(
        absl::StrCat(predecessor.name, ": header: begins at @",
                     predecessor.header.first.value, " and does not reach @",
                     header.first.value, ", where ", segment.name, " begins"));
  }
  return predecessor;
}

}  // namespace

absl::StatusOr<Generation> ReadGeneration(FileSystem& file_system,
                                          absl::string_view directory,
                                          absl::Span<const LogFile> files) {
  return GenerationReader(file_system, directory).Read(files);
}

}  // namespace shale
