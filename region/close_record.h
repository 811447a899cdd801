#ifndef SHALE_REGION_CLOSE_RECORD_H_
#define SHALE_REGION_CLOSE_RECORD_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/cell/log_position.h"
#include "shale/filesystem/file_system.h"
#include "shale/wal/log_extent.h"

namespace shale {

// Where a host's log ended when the host was last closed, in a metadata object
// of its own (docs/formats/close_record.md). The end of a log that was cut or
// lost since looks like that of a crash, but for this.
struct CloseRecord {
  // The generation that was closed; 0: none.
  uint64_t epoch = 0;
  // How far it was durable by then.
  LogPosition end;

  // The record of the host in `directory`; epoch 0 if there is none, as in a
  // host that was never closed. DATA_LOSS, or FAILED_PRECONDITION for a newer
  // version.
  static absl::StatusOr<CloseRecord> Read(FileSystem& files,
                                          absl::string_view directory);

  // Puts it there, durably, unless there is one of this generation or a later
  // one. UNKNOWN if it may be there or not, ABORTED if others keep replacing
  // it.
  absl::Status Write(FileSystem& files, const OwnerToken& token,
                     absl::string_view directory) const;

  // DATA_LOSS naming the file and both positions if `log` is an earlier
  // generation, or ends before it did when it was closed. A later generation
  // was made from all of this one, so the record says nothing about it.
  absl::Status Check(const LogExtent& log) const;

  std::string Encode() const;
  // Errors as of Read, naming the object's file.
  static absl::StatusOr<CloseRecord> Decode(const MetaObject& object);

  friend bool operator==(const CloseRecord&, const CloseRecord&) = default;
};

}  // namespace shale

#endif  // SHALE_REGION_CLOSE_RECORD_H_
