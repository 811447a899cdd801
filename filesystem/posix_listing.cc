#include "shale/filesystem/posix_listing.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/filesystem/file_name.h"
#include "shale/filesystem/outcome.h"
#include "shale/filesystem/posix_directories.h"

namespace shale {
namespace {

// 0 or an errno.
int Stat(int root, const std::string& name, struct stat& info) {
  return fstatat(root, name.c_str(), &info, 0) == 0 ? 0 : errno;
}

// Adds to `names` the files in and below `directory`, whose name may only have
// begun to fulfil `prefix`. What vanishes meanwhile is left out.
absl::Status Collect(int root, absl::string_view directory,
                     absl::string_view prefix,
                     std::vector<std::string>& names) {
  const int fd = openat(root, DirectoryPath(directory).c_str(),
                        O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* stream = fd < 0 ? nullptr : fdopendir(fd);
  if (stream == nullptr) {
    if (errno == ENOENT || errno == ENOTDIR) return absl::OkStatus();
    return ErrnoError(errno, "list", directory, false);
  }
  const absl::Cleanup close = [stream] { closedir(stream); };
  while (true) {
    errno = 0;
    const dirent* entry = readdir(stream);
    if (entry == nullptr) break;
    if (entry->d_name[0] == '.') continue;
    std::string name = JoinPath(directory, entry->d_name);
    bool is_directory = entry->d_type == DT_DIR;
    if (entry->d_type == DT_UNKNOWN || entry->d_type == DT_LNK) {
      struct stat info;
      if (Stat(root, name, info) != 0) continue;
      is_directory = S_ISDIR(info.st_mode);
    }
    if (!is_directory) {
      if (absl::StartsWith(name, prefix)) names.push_back(std::move(name));
    } else if (const std::string below = name + "/";
               absl::StartsWith(below, prefix) ||
               absl::StartsWith(prefix, below)) {
      SHALE_RETURN_IF_ERROR(Collect(root, name, prefix, names));
    }
  }
  if (errno != 0) return ErrnoError(errno, "list", directory, false);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FileListing> ListPosixFiles(int root, absl::string_view prefix,
                                           absl::string_view cursor,
                                           size_t max_entries) {
  std::vector<std::string> names;
  SHALE_RETURN_IF_ERROR(Collect(root, DirectoryOf(prefix), prefix, names));
  std::sort(names.begin(), names.end());
  FileListing listing;
  for (auto it = std::upper_bound(names.begin(), names.end(), cursor);
       it != names.end(); ++it) {
    if (listing.entries.size() == max_entries) {
      listing.cursor = listing.entries.back().name;
      break;
    }
    struct stat info;
    const int error = Stat(root, *it, info);
    if (error == ENOENT) continue;
    if (error != 0) return ErrnoError(error, "list", *it, false);
    listing.entries.push_back(
        {std::move(*it), static_cast<uint64_t>(info.st_size)});
  }
  return listing;
}

}  // namespace shale
