#ifndef SHALE_WAL_LOG_FILES_H_
#define SHALE_WAL_LOG_FILES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/filesystem/file_system.h"
#include "shale/wal/segment_name.h"

namespace shale {

// A file that by its name is a segment.
struct LogFile {
  SegmentId id;
  std::string name;
};

// The segment files in `directory`, whatever they hold, by ascending id. Files
// with other names are somebody else's.
absl::StatusOr<std::vector<LogFile>> ListLogFiles(FileSystem& files,
                                                  absl::string_view directory);

}  // namespace shale

#endif  // SHALE_WAL_LOG_FILES_H_
