// A file descriptor that closes itself, and the system calls on it.
#ifndef SHALE_FILESYSTEM_FILE_DESCRIPTOR_H_
#define SHALE_FILESYSTEM_FILE_DESCRIPTOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "shale/filesystem/append_file.h"

namespace shale {

// Calls retry on EINTR and return 0 or an errno. Closed by its destructor,
// whose errors mean nothing: what must be durable was synced before. Calls on
// one descriptor may run side by side.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  FileDescriptor(FileDescriptor&& other) : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other);
  ~FileDescriptor();

  // Opens `path`, below `directory` if relative, with O_CLOEXEC and mode 0644.
  int Open(int directory, const std::string& path, int flags);

  // Writes all of `bytes`, in several system calls if need be.
  int Write(uint64_t offset, absl::string_view bytes) const;
  // Reads up to `length` bytes, fewer only at the end of the file.
  int Read(uint64_t offset, size_t length, std::string& bytes) const;
  int Sync(SyncMode mode) const;
  int Size(uint64_t& bytes) const;
  // Sets space aside for so many bytes, without changing the size.
  int Allocate(uint64_t bytes) const;

  // An flock(2) on the open file, for as long as it is open.
  enum class Lock { kShared, kExclusive, kExclusiveIfFree, kSharedIfFree };
  int LockFile(Lock lock) const;

  // -1 if not open.
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_FILE_DESCRIPTOR_H_
