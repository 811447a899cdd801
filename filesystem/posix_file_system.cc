#include "shale/filesystem/posix_file_system.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "shale/base/status_macros.h"
#include "shale/filesystem/blocking_file.h"
#include "shale/filesystem/file_name.h"
#include "shale/filesystem/lease_grant.h"
#include "shale/filesystem/lock_holders.h"
#include "shale/filesystem/outcome.h"
#include "shale/filesystem/pipelined_append_file.h"
#include "shale/filesystem/pooled_read_file.h"
#include "shale/filesystem/posix_listing.h"
#include "shale/filesystem/shared_lease.h"
#include "shale/filesystem/state_checks.h"

namespace shale {
namespace {

constexpr char kLockFile[] = ".lock";
constexpr char kOwnerObject[] = ".owner";

// "shale import, pid 4711 on host db1, since 2023-05-06T07:08:09+00:00".
std::string DescribeOwner(absl::string_view owner, absl::Time since) {
  utsname host;
  return absl::StrCat(
      owner, ", pid ", getpid(), " on host ",
      uname(&host) == 0 ? host.nodename : "unknown", ", since ",
      absl::FormatTime(absl::RFC3339_sec, since, absl::UTCTimeZone()));
}

// "process 4711"; "another process" where nothing is known.
std::string DescribeProcesses(const std::vector<int>& pids) {
  if (pids.empty()) return "another process";
  return absl::StrCat("process ", absl::StrJoin(pids, ", "));
}

absl::StatusOr<std::string> ReadExtent(const FileDescriptor& file,
                                       absl::string_view name, uint64_t size,
                                       FileExtent extent) {
  std::string bytes;
  int error = 0;
  // A log may have grown; the result is made as large as what there is.
  if (extent.length > size || extent.offset > size - extent.length) {
    error = file.Size(size);
  }
  if (error == 0 && extent.offset < size) {
    error = file.Read(extent.offset,
                      std::min<uint64_t>(extent.length, size - extent.offset),
                      bytes);
  }
  if (error == 0) return bytes;
  return ErrnoError(
      error,
      absl::StrCat("read ", extent.length, " bytes at ", extent.offset, " of"),
      name, false);
}

}  // namespace

// The file as its creator writes it.
class PosixFileSystem::Writer final : public BlockingFile {
 public:
  Writer(PosixFileSystem& files, std::string name,
         std::shared_ptr<PosixOpenFile> file, std::shared_ptr<LeaseGrant> grant)
      : files_(files),
        name_(std::move(name)),
        file_(std::move(file)),
        grant_(std::move(grant)) {}

  ~Writer() override {
    absl::MutexLock lock(&files_.mu_);
    const auto entry = files_.writing_.find(name_);
    if (entry != files_.writing_.end() && entry->second.lock() == file_) {
      files_.writing_.erase(entry);
    }
  }

  absl::Status Write(uint64_t offset, absl::string_view bytes) override {
    SHALE_RETURN_IF_ERROR(grant_->Check("append to", name_));
    return file_->Write(offset, bytes);
  }

  absl::Status Sync(SyncMode mode) override {
    SHALE_RETURN_IF_ERROR(grant_->Check("sync", name_));
    return file_->Sync(mode);
  }

  absl::Status Finish() override {
    SHALE_RETURN_IF_ERROR(grant_->Check("finish", name_));
    return file_->Finish().status();
  }

  void Remove() override {
    grant_
        ->Mutate("remove", name_,
                 [this] {
                   unlinkat(files_.directories_.root(), name_.c_str(), 0);
                   return absl::OkStatus();
                 })
        .IgnoreError();  // As Abandon says.
  }

 private:
  PosixFileSystem& files_;
  const std::string name_;
  const std::shared_ptr<PosixOpenFile> file_;
  const std::shared_ptr<LeaseGrant> grant_;
};

absl::StatusOr<std::unique_ptr<PosixFileSystem>> PosixFileSystem::Open(
    absl::string_view root, const PosixFileSystemOptions& options) {
  SHALE_ASSIGN_OR_RETURN(
      FileDescriptor directory,
      PosixDirectories::OpenRoot(root, /*make=*/!options.read_only));
  return std::unique_ptr<PosixFileSystem>(
      new PosixFileSystem(std::move(directory), options));
}

PosixFileSystem::PosixFileSystem(FileDescriptor root,
                                 const PosixFileSystemOptions& options)
    : options_(options),
      directories_(std::move(root)),
      metas_(directories_, options.read_only),
      tasks_(options.executor) {}

FileSystemCapabilities PosixFileSystem::capabilities() const {
  return {.durable_on_append = false,
          .guarded_append = false,
          .max_file_bytes = std::numeric_limits<int64_t>::max(),
          .preferred_append_bytes = 256 << 10,
          .preferred_read_bytes = 64 << 10};
}

template <typename Call, typename Done>
void PosixFileSystem::RunAsync(Call call, Done done) {
  tasks_.Run([call = std::move(call), done = std::move(done)]() mutable {
    done(call());
  });
}

absl::Status PosixFileSystem::CheckWritable(absl::string_view op,
                                            absl::string_view name) const {
  if (!options_.read_only) return absl::OkStatus();
  return FileError(FileOutcome::kInvalid, op, name,
                   "the file system is open for reading only");
}

absl::Status PosixFileSystem::Mutate(absl::string_view op,
                                     absl::string_view name,
                                     const OwnerToken& token,
                                     absl::FunctionRef<absl::Status()> mutate) {
  SHALE_RETURN_IF_ERROR(CheckWritable(op, name));
  return leases_.Mutate(op, name, token, mutate);
}

void PosixFileSystem::Create(absl::string_view name, FileKind kind,
                             const OwnerToken& token,
                             const CreateOptions& options,
                             CreateCallback done) {
  RunAsync([this, name = std::string(name), kind, token,
            options] { return CreateNow(name, kind, token, options); },
           std::move(done));
}

absl::StatusOr<std::unique_ptr<AppendFile>> PosixFileSystem::CreateNow(
    const std::string& name, FileKind kind, const OwnerToken& token,
    const CreateOptions& options) {
  SHALE_RETURN_IF_ERROR(CheckWritable("create", name));
  SHALE_ASSIGN_OR_RETURN(std::shared_ptr<LeaseGrant> grant,
                         leases_.Find("create", name, token));
  std::shared_ptr<PosixOpenFile> file;
  SHALE_RETURN_IF_ERROR(grant->Mutate("create", name, [&]() -> absl::Status {
    SHALE_ASSIGN_OR_RETURN(
        file, PosixOpenFile::Create(directories_, name, kind, options));
    absl::MutexLock lock(&mu_);
    writing_[name] = file;
    return absl::OkStatus();
  }));
  return std::make_unique<PipelinedAppendFile>(
      options_.executor, name,
      std::make_unique<Writer>(*this, name, std::move(file), std::move(grant)));
}

void PosixFileSystem::Open(absl::string_view name,
                           std::optional<uint64_t> known_size,
                           OpenCallback done) {
  RunAsync([this, name = std::string(name),
            known_size] { return OpenNow(name, known_size); },
           std::move(done));
}

absl::StatusOr<std::unique_ptr<ReadFile>> PosixFileSystem::OpenNow(
    const std::string& name, std::optional<uint64_t> known_size) {
  SHALE_RETURN_IF_ERROR(CheckFileName("open", name));
  auto file = std::make_shared<FileDescriptor>();
  int error = file->Open(directories_.root(), name, O_RDONLY);
  struct stat info;
  if (error == 0 && fstat(file->get(), &info) != 0) error = errno;
  // A directory of files is no file.
  if (error == ENOTDIR || (error == 0 && !S_ISREG(info.st_mode))) {
    error = ENOENT;
  }
  if (error != 0) return ErrnoError(error, "open", name, false);
  const uint64_t size = known_size.value_or(info.st_size);
  return std::make_unique<PooledReadFile>(
      options_.executor, size, [name, size, file](FileExtent extent) {
        return ReadExtent(*file, name, size, extent);
      });
}

void PosixFileSystem::Remove(absl::string_view name, const OwnerToken& token,
                             StatusCallback done) {
  RunAsync([this, name = std::string(name),
            token] { return RemoveNow(name, token); },
           std::move(done));
}

absl::Status PosixFileSystem::RemoveNow(const std::string& name,
                                        const OwnerToken& token) {
  return Mutate("remove", name, token, [&] {
    const bool removed = unlinkat(directories_.root(), name.c_str(), 0) == 0;
    if (!removed && errno != ENOENT && errno != ENOTDIR && errno != EISDIR) {
      return ErrnoError(errno, "remove", name, true);
    }
    // Also if it is gone already: that may not be durable yet.
    const int error = directories_.Sync(DirectoryOf(name));
    if (error != 0 && error != ENOENT) {
      return AppliedErrnoError(error, "remove", name);
    }
    return removed ? absl::OkStatus() : metas_.Remove(name);
  });
}

void PosixFileSystem::Clone(absl::string_view from, absl::string_view to,
                            const OwnerToken& token, StatusCallback done) {
  RunAsync([this, from = std::string(from), to = std::string(to),
            token] { return CloneNow(from, to, token); },
           std::move(done));
}

absl::Status PosixFileSystem::CloneNow(const std::string& from,
                                       const std::string& to,
                                       const OwnerToken& token) {
  SHALE_RETURN_IF_ERROR(CheckFileName("clone", from));
  return Mutate("clone", to, token, [&] {
    struct stat info;
    if (fstatat(directories_.root(), from.c_str(), &info, 0) != 0) {
      return ErrnoError(errno, "clone", from, false);
    }
    if (!S_ISREG(info.st_mode)) {
      return ErrnoError(ENOENT, "clone", from, false);
    }
    if (!PosixOpenFile::IsFinished(info.st_mode)) {
      return FileError(FileOutcome::kConflict, "clone", from,
                       "the file is not finished");
    }
    SHALE_RETURN_IF_ERROR(directories_.Make("clone", to, DirectoryOf(to)));
    if (linkat(directories_.root(), from.c_str(), directories_.root(),
               to.c_str(), 0) != 0) {
      return ErrnoError(errno, "clone", to, false);
    }
    const int error = directories_.Sync(DirectoryOf(to));
    return error == 0 ? absl::OkStatus()
                      : AppliedErrnoError(error, "clone", to);
  });
}

void PosixFileSystem::List(absl::string_view prefix, absl::string_view cursor,
                           ListCallback done) {
  RunAsync(
      [this, prefix = std::string(prefix), cursor = std::string(cursor)] {
        return ListPosixFiles(directories_.root(), prefix, cursor,
                              kListPageEntries);
      },
      std::move(done));
}

void PosixFileSystem::ReadMeta(absl::string_view name, MetaCallback done) {
  RunAsync([this, name = std::string(name)] { return ReadMetaNow(name); },
           std::move(done));
}

absl::StatusOr<MetaObject> PosixFileSystem::ReadMetaNow(
    const std::string& name) {
  SHALE_RETURN_IF_ERROR(CheckFileName("read", name));
  return metas_.Read(name);
}

void PosixFileSystem::CommitMeta(absl::string_view name, std::string bytes,
                                 MetaVersion expected, const OwnerToken& token,
                                 CommitCallback done) {
  RunAsync(
      [this, name = std::string(name), bytes = std::move(bytes), expected,
       token]() mutable {
        return CommitMetaNow(name, std::move(bytes), expected, token);
      },
      std::move(done));
}

absl::StatusOr<MetaVersion> PosixFileSystem::CommitMetaNow(
    const std::string& name, std::string bytes, MetaVersion expected,
    const OwnerToken& token) {
  const MetaObject next{std::move(bytes), MetaVersion{expected.value + 1}};
  SHALE_RETURN_IF_ERROR(Mutate("commit", name, token, [&] {
    return metas_.Commit(name, next, expected);
  }));
  return next.version;
}

void PosixFileSystem::Acquire(absl::string_view directory,
                              absl::string_view owner, uint64_t above,
                              AcquireCallback done) {
  RunAsync(
      [this, directory = std::string(directory), owner = std::string(owner),
       above] { return AcquireNow(directory, owner, above); },
      std::move(done));
}

absl::StatusOr<std::unique_ptr<Lease>> PosixFileSystem::AcquireNow(
    const std::string& directory, const std::string& owner, uint64_t above) {
  SHALE_RETURN_IF_ERROR(CheckWritable("acquire", directory));
  SHALE_RETURN_IF_ERROR(CheckDirectoryName("acquire", directory));
  const std::string own_directory = JoinPath(directory, kOwnDirectory);
  SHALE_RETURN_IF_ERROR(directories_.Make("acquire", directory, own_directory));
  const std::string lock_path = JoinPath(own_directory, kLockFile);
  FileDescriptor lock;
  int error = lock.Open(directories_.root(), lock_path, O_RDWR | O_CREAT);
  if (error == 0) error = lock.LockFile(FileDescriptor::Lock::kExclusiveIfFree);
  if (error == EWOULDBLOCK) {
    // A lock that can be shared is held by readers alone.
    const std::vector<int> holders = LockHolders(lock.get());
    if (lock.LockFile(FileDescriptor::Lock::kSharedIfFree) != 0) {
      return OwnedError("acquire", directory, OwnerOf(directory, holders));
    }
    return SharedError(directory, DescribeProcesses(holders));
  }
  if (error != 0) return ErrnoError(error, "acquire", lock_path, false);
  uint64_t last = 0;
  const absl::StatusOr<OwnerToken> recorded = LastOwner(directory);
  if (recorded.ok()) {
    last = recorded->epoch;
  } else if (!absl::IsNotFound(recorded.status())) {
    return recorded.status();
  }
  SHALE_ASSIGN_OR_RETURN(
      const uint64_t epoch,
      EpochAbove(directory,
                 std::max({last, above, leases_.LastEpoch(directory)})));
  OwnerToken token{directory, epoch,
                   DescribeOwner(owner, options_.clock.Now())};
  return leases_.Grant(
      token, [this, token] { return RecordOwner(token); },
      [lock = std::move(lock)]() mutable { lock = FileDescriptor(); });
}

absl::Status PosixFileSystem::RecordOwner(const OwnerToken& token) {
  uint64_t last = 0;
  const absl::StatusOr<OwnerToken> recorded = LastOwner(token.directory);
  if (recorded.ok()) {
    last = recorded->epoch;
  } else if (!absl::IsNotFound(recorded.status())) {
    return recorded.status();
  }
  // An earlier attempt, reported as failed, had been applied.
  if (last == token.epoch) return absl::OkStatus();
  return metas_.Commit(JoinPath(token.directory, kOwnerObject),
                       {token.owner, MetaVersion{token.epoch}},
                       MetaVersion{last});
}

absl::StatusOr<OwnerToken> PosixFileSystem::LastOwner(
    const std::string& directory) {
  SHALE_ASSIGN_OR_RETURN(MetaObject object,
                         metas_.Read(JoinPath(directory, kOwnerObject)));
  return OwnerToken{directory, object.version.value, std::move(object.bytes)};
}

std::string PosixFileSystem::OwnerOf(const std::string& directory,
                                     const std::vector<int>& holders) {
  if (const auto grant = leases_.HeldGrant(directory); grant != nullptr) {
    return grant->token().owner;
  }
  // An owner who has changed nothing yet has left no name.
  const absl::StatusOr<OwnerToken> last = LastOwner(directory);
  for (const int pid : holders) {
    if (last.ok() &&
        absl::StrContains(last->owner, absl::StrCat("pid ", pid, " on "))) {
      return last->owner;
    }
  }
  if (holders.empty() && last.ok()) return last->owner;
  return DescribeProcesses(holders);
}

void PosixFileSystem::Share(absl::string_view directory, AcquireCallback done) {
  RunAsync([this,
            directory = std::string(directory)] { return ShareNow(directory); },
           std::move(done));
}

absl::StatusOr<std::unique_ptr<Lease>> PosixFileSystem::ShareNow(
    const std::string& directory) {
  SHALE_RETURN_IF_ERROR(CheckDirectoryName("share", directory));
  const std::string lock_path =
      JoinPath(JoinPath(directory, kOwnDirectory), kLockFile);
  FileDescriptor lock;
  int error = lock.Open(directories_.root(), lock_path, O_RDONLY);
  if (error == 0) error = lock.LockFile(FileDescriptor::Lock::kSharedIfFree);
  if (error == EWOULDBLOCK) {
    return OwnedError("share", directory,
                      OwnerOf(directory, LockHolders(lock.get())));
  }
  if (error != 0 && error != ENOENT) {
    return ErrnoError(error, "share", lock_path, false);
  }
  return std::make_unique<SharedLease>(
      directory,
      [lock = std::move(lock)]() mutable { lock = FileDescriptor(); });
}

void PosixFileSystem::Seal(absl::string_view name, const OwnerToken& successor,
                           SealCallback done) {
  RunAsync([this, name = std::string(name),
            successor] { return SealNow(name, successor); },
           std::move(done));
}

absl::StatusOr<uint64_t> PosixFileSystem::SealNow(const std::string& name,
                                                  const OwnerToken& successor) {
  uint64_t size = 0;
  SHALE_RETURN_IF_ERROR(Mutate("seal", name, successor, [&]() -> absl::Status {
    std::shared_ptr<PosixOpenFile> file;
    {
      absl::MutexLock lock(&mu_);
      const auto entry = writing_.find(name);
      if (entry != writing_.end()) file = entry->second.lock();
    }
    if (file == nullptr) {
      SHALE_ASSIGN_OR_RETURN(file,
                             PosixOpenFile::OpenLeftover(directories_, name));
    }
    SHALE_ASSIGN_OR_RETURN(size, file->Finish());
    return absl::OkStatus();
  }));
  return size;
}

}  // namespace shale
