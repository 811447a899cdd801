#include "shale/filesystem/posix_meta_store.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/filesystem/file_name.h"
#include "shale/filesystem/metadata_object.h"
#include "shale/filesystem/outcome.h"
#include "shale/filesystem/state_checks.h"

namespace shale {
namespace {

constexpr char kNewObject[] = ".new";

std::string MetaDirectoryOf(absl::string_view name) {
  return JoinPath(DirectoryOf(name), kOwnDirectory);
}

std::string ObjectFile(absl::string_view name) {
  return std::string(LastPartOf(name));
}

// What a person can look at, for messages.
std::string PathOf(absl::string_view name) {
  return JoinPath(MetaDirectoryOf(name), ObjectFile(name));
}

// kNotFound if there is none.
absl::StatusOr<MetaObject> ReadObject(const FileDescriptor& directory,
                                      absl::string_view name) {
  FileDescriptor file;
  int error = file.Open(directory.get(), ObjectFile(name), O_RDONLY);
  uint64_t size = 0;
  std::string bytes;
  if (error == 0) error = file.Size(size);
  if (error == 0) {
    // One byte more than fits shows that the object is too long.
    error = file.Read(0,
                      std::min<uint64_t>(
                          size, kMetadataObjectHeaderBytes + kMaxMetaBytes + 1),
                      bytes);
  }
  if (error != 0) return ErrnoError(error, "read", PathOf(name), false);
  return DecodeMetadataObject(PathOf(name), bytes);
}

int WriteNewObject(const FileDescriptor& directory, absl::string_view bytes) {
  FileDescriptor file;
  int error =
      file.Open(directory.get(), kNewObject, O_WRONLY | O_CREAT | O_TRUNC);
  if (error == 0) error = file.Write(0, bytes);
  if (error == 0) error = file.Sync(SyncMode::kFull);
  return error;
}

}  // namespace

absl::StatusOr<FileDescriptor> PosixMetaStore::LockDirectory(
    absl::string_view op, absl::string_view name,
    FileDescriptor::Lock lock) const {
  FileDescriptor directory;
  int error = directory.Open(directories_.root(), MetaDirectoryOf(name),
                             O_RDONLY | O_DIRECTORY);
  if (error == ENOENT || error == ENOTDIR) return FileDescriptor();
  if (error == 0) error = directory.LockFile(lock);
  if (error != 0) return ErrnoError(error, op, PathOf(name), false);
  return directory;
}

absl::StatusOr<MetaObject> PosixMetaStore::Read(absl::string_view name) {
  while (true) {
    SHALE_RETURN_IF_ERROR(Settle(name));
    SHALE_ASSIGN_OR_RETURN(
        const FileDescriptor directory,
        LockDirectory("read", name, FileDescriptor::Lock::kShared));
    if (directory.get() < 0)
      return ErrnoError(ENOENT, "read", PathOf(name), false);
    // Unless a commit failed to sync in between.
    if (read_only_ || IsSettled(name)) return ReadObject(directory, name);
  }
}

absl::Status PosixMetaStore::Commit(absl::string_view name,
                                    const MetaObject& next,
                                    MetaVersion expected) {
  SHALE_RETURN_IF_ERROR(CheckMetaSize(name, next.bytes.size()));
  SHALE_RETURN_IF_ERROR(
      directories_.Make("commit", name, MetaDirectoryOf(name)));
  SHALE_ASSIGN_OR_RETURN(
      const FileDescriptor directory,
      LockDirectory("commit", name, FileDescriptor::Lock::kExclusive));
  if (directory.get() < 0)
    return ErrnoError(ENOENT, "commit", PathOf(name), false);
  const absl::StatusOr<MetaObject> current = ReadObject(directory, name);
  if (!current.ok() && !absl::IsNotFound(current.status())) {
    return current.status();
  }
  const MetaVersion version = current.ok() ? current->version : MetaVersion();
  SHALE_RETURN_IF_ERROR(CheckMetaVersion(name, version, expected));
  int error = WriteNewObject(directory, EncodeMetadataObject(next));
  if (error != 0) {
    unlinkat(directory.get(), kNewObject, 0);  // It may be out of space.
    return ErrnoError(error, "commit", PathOf(name), false);
  }
  if (renameat(directory.get(), kNewObject, directory.get(),
               ObjectFile(name).c_str()) != 0) {
    return ErrnoError(errno, "commit", PathOf(name), true);
  }
  return Sync("commit", name, directory);
}

absl::Status PosixMetaStore::Remove(absl::string_view name) {
  SHALE_ASSIGN_OR_RETURN(
      const FileDescriptor directory,
      LockDirectory("remove", name, FileDescriptor::Lock::kExclusive));
  if (directory.get() < 0) return absl::OkStatus();
  if (unlinkat(directory.get(), ObjectFile(name).c_str(), 0) != 0) {
    if (errno != ENOENT) return ErrnoError(errno, "remove", PathOf(name), true);
    if (IsSettled(name)) return absl::OkStatus();
  }
  return Sync("remove", name, directory);
}

absl::Status PosixMetaStore::Settle(absl::string_view name) {
  if (read_only_ || IsSettled(name)) return absl::OkStatus();
  SHALE_ASSIGN_OR_RETURN(
      const FileDescriptor directory,
      LockDirectory("read", name, FileDescriptor::Lock::kExclusive));
  if (directory.get() < 0) return absl::OkStatus();
  return Sync("read", name, directory);
}

absl::Status PosixMetaStore::Sync(absl::string_view op, absl::string_view name,
                                  const FileDescriptor& directory) {
  const int error = directory.Sync(SyncMode::kFull);
  absl::MutexLock lock(&mu_);
  if (error != 0) {
    settled_.erase(MetaDirectoryOf(name));
    return AppliedErrnoError(error, op, PathOf(name));
  }
  settled_.insert(MetaDirectoryOf(name));
  return absl::OkStatus();
}

bool PosixMetaStore::IsSettled(absl::string_view name) const {
  absl::MutexLock lock(&mu_);
  return settled_.contains(MetaDirectoryOf(name));
}

}  // namespace shale
