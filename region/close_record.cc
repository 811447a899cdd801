#include "shale/region/close_record.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/coding.h"
#include "shale/base/status_macros.h"
#include "shale/filesystem/blocking.h"
#include "shale/filesystem/outcome.h"
#include "shale/region/envelope.h"

namespace shale {
namespace {

constexpr uint64_t kCloseRecordMagic = 0x534c43454c414853;  // "SHALECLS"
constexpr uint32_t kCloseRecordVersion = 1;
// A commit that finds another's in its place is tried again so many times.
constexpr int kAttempts = 3;

std::string CloseRecordName(absl::string_view directory) {
  return absl::StrCat(directory, "/closed");
}

// Version 0 if there is none.
absl::StatusOr<std::pair<CloseRecord, MetaVersion>> ReadWithVersion(
    FileSystem& files, const std::string& name) {
  const absl::StatusOr<MetaObject> object = ReadMeta(files, name);
  if (absl::IsNotFound(object.status())) {
    return std::make_pair(CloseRecord(), MetaVersion());
  }
  SHALE_RETURN_IF_ERROR(object.status());
  SHALE_ASSIGN_OR_RETURN(const CloseRecord record,
                         CloseRecord::Decode(*object));
  return std::make_pair(record, object->version);
}

}  // namespace

absl::StatusOr<CloseRecord> CloseRecord::Read(FileSystem& files,
                                              absl::string_view directory) {
  SHALE_ASSIGN_OR_RETURN(const auto found,
                         ReadWithVersion(files, CloseRecordName(directory)));
  return found.first;
}

absl::Status CloseRecord::Write(FileSystem& files, const OwnerToken& token,
                                absl::string_view directory) const {
  const std::string name = CloseRecordName(directory);
  absl::Status last;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    SHALE_ASSIGN_OR_RETURN(const auto found, ReadWithVersion(files, name));
    if (found.first.epoch >= epoch) return absl::OkStatus();
    last = CommitMeta(files, name, Encode(), found.second, token).status();
    if (OutcomeOf(last) != FileOutcome::kConflict) return last;
  }
  return absl::AbortedError(
      absl::StrCat(name, ": others keep replacing it: ", last.message()));
}

absl::Status CloseRecord::Check(const LogExtent& log) const {
  if (log.epoch > epoch || (log.epoch == epoch && log.end >= end)) {
    return absl::OkStatus();
  }
  return absl::DataLossError(absl::StrCat(
      log.DescribeEnd(), ", and when the owner of epoch ", epoch,
      " closed the host, its log went on to log position ", end.value));
}

std::string CloseRecord::Encode() const {
  std::string body;
  PutFixed64(&body, epoch);
  PutFixed64(&body, end.value);
  return Seal(kCloseRecordMagic, kCloseRecordVersion, body);
}

absl::StatusOr<CloseRecord> CloseRecord::Decode(const MetaObject& object) {
  SHALE_ASSIGN_OR_RETURN(const Sealed sealed, Unseal(object, kCloseRecordMagic,
                                                     kCloseRecordVersion));
  Decoder in(sealed.body);
  CloseRecord record;
  if (!in.ReadFixed64(&record.epoch) || !in.ReadFixed64(&record.end.value) ||
      in.remaining() != 0) {
    return absl::DataLossError(
        absl::StrCat(object.file, ": close record of ", sealed.body.size(),
                     " bytes at offset ", FileOffset(object, 0), ", want 16"));
  }
  return record;
}

}  // namespace shale
