#include "shale/wal/log_files.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/filesystem/blocking.h"

namespace shale {

absl::StatusOr<std::vector<LogFile>> ListLogFiles(FileSystem& files,
                                                  absl::string_view directory) {
  const std::string prefix =
      directory.empty() ? "" : absl::StrCat(directory, "/");
  std::vector<LogFile> found;
  SHALE_ASSIGN_OR_RETURN(const auto entries, ListFiles(files, prefix));
  for (const FileListing::Entry& entry : entries) {
    const std::optional<SegmentId> id = ParseSegmentName(directory, entry.name);
    if (id.has_value()) found.push_back({*id, entry.name});
  }
  std::sort(found.begin(), found.end(),
            [](const LogFile& a, const LogFile& b) { return a.id < b.id; });
  // A listing may name a file twice if it changes meanwhile.
  found.erase(std::unique(found.begin(), found.end(),
                          [](const LogFile& a, const LogFile& b) {
                            return a.id == b.id;
                          }),
              found.end());
  return found;
}

}  // namespace shale
