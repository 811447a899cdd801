#include "shale/filesystem/posix_open_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/status_macros.h"
#include "shale/filesystem/file_name.h"
#include "shale/filesystem/outcome.h"

namespace shale {
namespace {

// Syncs of a log that may run side by side. Others have one, at their end.
constexpr size_t kLogSyncDescriptors = 4;

constexpr mode_t kFinishedMode = 0444;

}  // namespace

bool PosixOpenFile::IsFinished(unsigned mode) { return (mode & 0222) == 0; }

absl::StatusOr<std::shared_ptr<PosixOpenFile>> PosixOpenFile::Create(
    PosixDirectories& directories, absl::string_view name, FileKind kind,
    const CreateOptions& options) {
  SHALE_RETURN_IF_ERROR(directories.Make("create", name, DirectoryOf(name)));
  std::shared_ptr<PosixOpenFile> created(new PosixOpenFile(directories, name));
  absl::MutexLock write_lock(&created->write_mu_);
  absl::MutexLock sync_lock(&created->sync_mu_);
  int error = created->file_.Open(directories.root(), created->name_,
                                  O_RDWR | O_CREAT | O_EXCL);
  if (error != 0) return ErrnoError(error, "create", name, false);
  const size_t syncs = kind == FileKind::kLog ? kLogSyncDescriptors : 1;
  while (error == 0 && created->sync_descriptors_.size() < syncs) {
    FileDescriptor descriptor;
    error = descriptor.Open(directories.root(), created->name_, O_RDONLY);
    if (error == 0) created->sync_descriptors_.push_back(std::move(descriptor));
  }
  if (error == 0 && options.expected_bytes > 0) {
    const int failed = created->file_.Allocate(options.expected_bytes);
    created->preallocated_ = failed == 0;
    // Else writes find their space one by one.
    if (options.must_reserve) error = failed;
  }
  if (error == 0) return created;
  unlinkat(directories.root(), created->name_.c_str(), 0);
  if (error == EOPNOTSUPP) {
    return FileError(FileOutcome::kInvalid, "create", name,
                     "this file system sets no space aside");
  }
  return ErrnoError(error, "create", name, false);
}

absl::StatusOr<std::shared_ptr<PosixOpenFile>> PosixOpenFile::OpenLeftover(
    PosixDirectories& directories, absl::string_view name) {
  std::shared_ptr<PosixOpenFile> opened(new PosixOpenFile(directories, name));
  absl::MutexLock write_lock(&opened->write_mu_);
  absl::MutexLock sync_lock(&opened->sync_mu_);
  FileDescriptor descriptor;
  int error = opened->file_.Open(directories.root(), opened->name_, O_RDONLY);
  if (error == 0) {
    error = descriptor.Open(directories.root(), opened->name_, O_RDONLY);
  }
  if (error != 0) return ErrnoError(error, "open", name, false);
  opened->sync_descriptors_.push_back(std::move(descriptor));
  return opened;
}

absl::Status PosixOpenFile::Write(uint64_t offset, absl::string_view bytes) {
  absl::MutexLock lock(&write_mu_);
  if (finished_) {
    return FileError(FileOutcome::kConflict, "append to", name_,
                     "the file is sealed");
  }
  const int error = file_.Write(offset, bytes);
  if (error == 0) return absl::OkStatus();
  const absl::Status failed = ErrnoError(
      error, absl::StrCat("append ", bytes.size(), " bytes at ", offset, " to"),
      name_, true);
  if (ftruncate(file_.get(), static_cast<off_t>(offset)) == 0) return failed;
  return FileError(FileOutcome::kUnknown, "append to", name_, failed.message());
}

FileDescriptor PosixOpenFile::TakeSyncDescriptor() {
  absl::MutexLock lock(&sync_mu_);
  const auto one_free = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(sync_mu_) {
    return !sync_descriptors_.empty();
  };
  sync_mu_.Await(absl::Condition(&one_free));
  FileDescriptor descriptor = std::move(sync_descriptors_.back());
  sync_descriptors_.pop_back();
  return descriptor;
}

absl::Status PosixOpenFile::Sync(SyncMode mode) {
  FileDescriptor descriptor = TakeSyncDescriptor();
  const int error = descriptor.Sync(mode);
  bool name_durable;
  {
    absl::MutexLock lock(&sync_mu_);
    sync_descriptors_.push_back(std::move(descriptor));
    if (error != 0 && sync_failure_.ok()) {
      sync_failure_ = ErrnoError(error, "sync", name_, true);
    }
    SHALE_RETURN_IF_ERROR(sync_failure_);
    name_durable = name_durable_;
  }
  if (name_durable) return absl::OkStatus();
  const int name_error = directories_.Sync(DirectoryOf(name_));
  absl::MutexLock lock(&sync_mu_);
  if (name_error == 0) {
    name_durable_ = true;
  } else if (sync_failure_.ok()) {
    sync_failure_ = ErrnoError(name_error, "sync", name_, true);
  }
  return sync_failure_;
}

absl::StatusOr<uint64_t> PosixOpenFile::Finish() {
  absl::MutexLock lock(&write_mu_);
  finished_ = true;
  uint64_t size;
  int error = file_.Size(size);
  if (error == 0 && preallocated_ &&
      ftruncate(file_.get(), static_cast<off_t>(size)) == 0) {
    preallocated_ = false;  // What lay beyond the end is free again.
  }
  if (error == 0 && fchmod(file_.get(), kFinishedMode) != 0) error = errno;
  if (error != 0) return ErrnoError(error, "finish", name_, true);
  SHALE_RETURN_IF_ERROR(Sync(SyncMode::kFull));
  return size;
}

}  // namespace shale
