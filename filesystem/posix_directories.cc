#include "shale/filesystem/posix_directories.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/filesystem/outcome.h"

namespace shale {
namespace {

constexpr mode_t kDirectoryMode = 0755;

int SyncEntries(int below, const std::string& directory) {
  FileDescriptor file;
  const int error = file.Open(below, directory, O_RDONLY | O_DIRECTORY);
  return error != 0 ? error : file.Sync(SyncMode::kFull);
}

// Makes `path`, which may be there, and its entry in `parent` durable.
int MakeOne(int below, const std::string& parent, const std::string& path) {
  if (mkdirat(below, path.c_str(), kDirectoryMode) != 0 && errno != EEXIST) {
    return errno;
  }
  return SyncEntries(below, parent);
}

}  // namespace

std::string JoinPath(absl::string_view directory, absl::string_view part) {
  if (directory.empty()) return std::string(part);
  if (part.empty()) return std::string(directory);
  return absl::StrCat(directory, "/", part);
}

std::string DirectoryPath(absl::string_view directory) {
  return directory.empty() ? "." : std::string(directory);
}

absl::StatusOr<FileDescriptor> PosixDirectories::OpenRoot(
    absl::string_view root, bool make) {
  const std::string path(root);
  FileDescriptor directory;
  int error = directory.Open(AT_FDCWD, path, O_RDONLY | O_DIRECTORY);
  if (error == ENOENT && make && !path.empty()) {
    for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
      const std::string part = path.substr(0, end);
      const size_t slash = part.rfind('/');
      FileDescriptor existing;
      error = existing.Open(AT_FDCWD, part, O_RDONLY | O_DIRECTORY);
      if (error == ENOENT) {
        error = MakeOne(AT_FDCWD,
                        slash == part.npos ? "."
                        : slash == 0       ? "/"
                                           : part.substr(0, slash),
                        part);
      }
      if (error != 0 || end == path.npos) break;
    }
    if (error == 0) {
      error = directory.Open(AT_FDCWD, path, O_RDONLY | O_DIRECTORY);
    }
  }
  if (error != 0) return ErrnoError(error, "open", root, false);
  return directory;
}

absl::Status PosixDirectories::Make(absl::string_view op,
                                    absl::string_view name,
                                    absl::string_view directory) {
  if (directory.empty()) return absl::OkStatus();
  absl::MutexLock lock(&mu_);
  for (size_t start = 0; start < directory.size();) {
    const size_t end = std::min(directory.find('/', start), directory.size());
    const std::string path(directory.substr(0, end));
    if (!durable_.contains(path)) {
      const std::string parent =
          DirectoryPath(start == 0 ? "" : directory.substr(0, start - 1));
      const int error = MakeOne(root(), parent, path);
      if (error != 0) return ErrnoError(error, op, name, false);
      durable_.insert(path);
    }
    start = end + 1;
  }
  return absl::OkStatus();
}

int PosixDirectories::Sync(absl::string_view directory) const {
  return SyncEntries(root(), DirectoryPath(directory));
}

}  // namespace shale
