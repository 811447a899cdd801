#ifndef SHALE_WAL_READ_WAL_H_
#define SHALE_WAL_READ_WAL_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/filesystem/file_system.h"
#include "shale/wal/recovery_sink.h"

namespace shale {

// OpenWal for a reader: gives `sink` the same records and changes nothing, so
// that it may be used beside the owner. Records keep their positions. Errors as
// OpenWal.
absl::Status ReadWal(FileSystem& files, absl::string_view directory,
                     RecoverySink& sink, RecoveryReport* report);

}  // namespace shale

#endif  // SHALE_WAL_READ_WAL_H_
