#include "shale/filesystem/file_descriptor.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace shale {
namespace {

// More is cut off by the kernel anyway.
constexpr size_t kMaxTransferBytes = 1 << 30;

// Calls until it is not interrupted; its result, negative with errno set.
template <typename Call>
auto Uninterrupted(Call call) {
  while (true) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

template <typename Call>
int ErrnoOfCall(Call call) {
  return Uninterrupted(call) < 0 ? errno : 0;
}

}  // namespace

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) {
  std::swap(fd_, other.fd_);
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) close(fd_);
}

int FileDescriptor::Open(int directory, const std::string& path, int flags) {
  FileDescriptor file;
  file.fd_ = Uninterrupted(
      [&] { return openat(directory, path.c_str(), flags | O_CLOEXEC, 0644); });
  if (file.fd_ < 0) return errno;
  *this = std::move(file);
  return 0;
}

int FileDescriptor::Write(uint64_t offset, absl::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = Uninterrupted([&] {
      return pwrite(fd_, bytes.data(),
                    std::min(bytes.size(), kMaxTransferBytes),
                    static_cast<off_t>(offset));
    });
    if (written < 0) return errno;
    if (written == 0) return EIO;  // It would be so for ever.
    bytes.remove_prefix(written);
    offset += written;
  }
  return 0;
}

int FileDescriptor::Read(uint64_t offset, size_t length,
                         std::string& bytes) const {
  bytes.resize(length);
  size_t done = 0;
  while (done < length) {
    const ssize_t read = Uninterrupted([&] {
      return pread(fd_, &bytes[done],
                   std::min(length - done, kMaxTransferBytes),
                   static_cast<off_t>(offset + done));
    });
    if (read < 0) return errno;
    if (read == 0) break;
    done += read;
  }
  bytes.resize(done);
  return 0;
}

int FileDescriptor::Sync(SyncMode mode) const {
  return ErrnoOfCall(
      [&] { return mode == SyncMode::kData ? fdatasync(fd_) : fsync(fd_); });
}

int FileDescriptor::Size(uint64_t& bytes) const {
  struct stat info;
  if (fstat(fd_, &info) != 0) return errno;
  bytes = info.st_size;
  return 0;
}

int FileDescriptor::Allocate(uint64_t bytes) const {
  return ErrnoOfCall([&] {
    return fallocate(fd_, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes));
  });
}

int FileDescriptor::LockFile(Lock lock) const {
  int operation = 0;
  switch (lock) {
    case Lock::kShared:
      operation = LOCK_SH;
      break;
    case Lock::kExclusive:
      operation = LOCK_EX;
      break;
    case Lock::kExclusiveIfFree:
      operation = LOCK_EX | LOCK_NB;
      break;
    case Lock::kSharedIfFree:
      operation = LOCK_SH | LOCK_NB;
      break;
  }
  return ErrnoOfCall([&] { return flock(fd_, operation); });
}

}  // namespace shale
