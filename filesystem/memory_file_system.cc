#include "shale/filesystem/memory_file_system.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "shale/base/random.h"
#include "shale/base/status_macros.h"
#include "shale/filesystem/file_name.h"
#include "shale/filesystem/outcome.h"
#include "shale/filesystem/pipelined_append_file.h"
#include "shale/filesystem/pooled_read_file.h"
#include "shale/filesystem/shared_lease.h"
#include "shale/filesystem/state_checks.h"

namespace shale {
namespace {

absl::Status CrashedError(absl::string_view name) {
  return FileError(FileOutcome::kFenced, "change", name,
                   "the file system crashed meanwhile");
}

}  // namespace

// The file as its creator writes it.
class MemoryFileSystem::Writer final : public BlockingFile {
 public:
  Writer(MemoryFileSystem& files, std::string name,
         std::shared_ptr<MemoryFile> file, std::shared_ptr<LeaseGrant> grant)
      : files_(files),
        name_(std::move(name)),
        file_(std::move(file)),
        grant_(std::move(grant)) {}

  absl::Status Write(uint64_t /*offset*/, absl::string_view bytes) override {
    SHALE_RETURN_IF_ERROR(grant_->Check("append to", name_));
    return file_->Append(name_, bytes);
  }

  absl::Status Sync(SyncMode /*mode*/) override {
    SHALE_RETURN_IF_ERROR(grant_->Check("sync", name_));
    return files_.SyncFile(name_, *file_);
  }

  absl::Status Finish() override {
    SHALE_RETURN_IF_ERROR(Sync(SyncMode::kFull));
    return file_->Finish(name_).status();
  }

  void Remove() override {
    grant_
        ->Mutate("remove", name_,
                 [this] {
                   absl::MutexLock lock(&files_.mu_);
                   files_.names_.erase(name_);
                   return absl::OkStatus();
                 })
        .IgnoreError();  // As Abandon says.
  }

 private:
  MemoryFileSystem& files_;
  const std::string name_;
  const std::shared_ptr<MemoryFile> file_;
  const std::shared_ptr<LeaseGrant> grant_;
};

MemoryFileSystem::MemoryFileSystem(Executor& executor)
    : executor_(executor), tasks_(executor) {}

FileSystemCapabilities MemoryFileSystem::capabilities() const {
  return {.durable_on_append = false,
          .guarded_append = true,
          .max_file_bytes = std::numeric_limits<int64_t>::max(),
          .preferred_append_bytes = 64 << 10,
          .preferred_read_bytes = 64 << 10};
}

template <typename Result, typename Done>
void MemoryFileSystem::Finish(Result result, Done done) {
  tasks_.Run([result = std::move(result), done = std::move(done)]() mutable {
    done(std::move(result));
  });
}

template <typename Mutate, typename Done>
void MemoryFileSystem::FinishDurably(absl::string_view name, Mutate mutate,
                                     Done done) {
  const uint64_t crashes_before = crashes();
  tasks_.Run([this, name = std::string(name), crashes_before, result = mutate(),
              done = std::move(done)]() mutable {
    if (result.ok()) {
      absl::MutexLock lock(&mu_);
      if (crashes_before == crashes_) {
        MakeNameDurable(name);
      } else {
        result = CrashedError(name);
      }
    }
    done(std::move(result));
  });
}

void MemoryFileSystem::Create(absl::string_view name, FileKind /*kind*/,
                              const OwnerToken& token,
                              const CreateOptions& options,
                              CreateCallback done) {
  Finish(CreateNow(name, token, options), std::move(done));
}

absl::StatusOr<std::unique_ptr<AppendFile>> MemoryFileSystem::CreateNow(
    absl::string_view name, const OwnerToken& token,
    const CreateOptions& options) {
  SHALE_ASSIGN_OR_RETURN(std::shared_ptr<LeaseGrant> grant,
                         leases_.Find("create", name, token));
  auto file = std::make_shared<MemoryFile>(space_);
  SHALE_RETURN_IF_ERROR(grant->Mutate("create", name, [&] {
    absl::MutexLock lock(&mu_);
    Entry& entry = names_[std::string(name)];
    if (!entry.absent()) {
      return FileError(FileOutcome::kExists, "create", name,
                       "the name is taken");
    }
    if (!file->Reserve(options.expected_bytes) && options.must_reserve) {
      names_.erase(std::string(name));
      return FileError(FileOutcome::kNoSpace, "create", name,
                       "the file system is full");
    }
    entry.file = file;
    return absl::OkStatus();
  }));
  return std::make_unique<PipelinedAppendFile>(
      executor_, std::string(name),
      std::make_unique<Writer>(*this, std::string(name), std::move(file),
                               std::move(grant)));
}

void MemoryFileSystem::Open(absl::string_view name,
                            std::optional<uint64_t> known_size,
                            OpenCallback done) {
  Finish(OpenNow(name, known_size), std::move(done));
}

absl::StatusOr<std::unique_ptr<ReadFile>> MemoryFileSystem::OpenNow(
    absl::string_view name, std::optional<uint64_t> known_size) {
  SHALE_RETURN_IF_ERROR(CheckFileName("open", name));
  std::shared_ptr<MemoryFile> file;
  {
    absl::ReaderMutexLock lock(&mu_);
    file = Find(name).file;
  }
  if (file == nullptr) {
    return FileError(FileOutcome::kNotFound, "open", name, "no such file");
  }
  const uint64_t size = known_size.value_or(file->size());
  return std::make_unique<PooledReadFile>(
      executor_, size,
      [name = std::string(name), file = std::move(file)](FileExtent extent) {
        return file->Read(name, extent);
      });
}

void MemoryFileSystem::Remove(absl::string_view name, const OwnerToken& token,
                              StatusCallback done) {
  FinishDurably(
      name, [&] { return RemoveNow(name, token); }, std::move(done));
}

absl::Status MemoryFileSystem::RemoveNow(absl::string_view name,
                                         const OwnerToken& token) {
  return leases_.Mutate("remove", name, token, [&] {
    absl::MutexLock lock(&mu_);
    names_.erase(std::string(name));
    return absl::OkStatus();
  });
}

void MemoryFileSystem::Clone(absl::string_view from, absl::string_view to,
                             const OwnerToken& token, StatusCallback done) {
  FinishDurably(
      to, [&] { return CloneNow(from, to, token); }, std::move(done));
}

absl::Status MemoryFileSystem::CloneNow(absl::string_view from,
                                        absl::string_view to,
                                        const OwnerToken& token) {
  SHALE_RETURN_IF_ERROR(CheckFileName("clone", from));
  return leases_.Mutate("clone", to, token, [&] {
    absl::MutexLock lock(&mu_);
    const std::shared_ptr<MemoryFile> file = Find(from).file;
    if (file == nullptr) {
      return FileError(FileOutcome::kNotFound, "clone", from, "no such file");
    }
    if (!file->finished()) {
      return FileError(FileOutcome::kConflict, "clone", from,
                       "the file is not finished");
    }
    Entry& entry = names_[std::string(to)];
    if (!entry.absent()) {
      return FileError(FileOutcome::kExists, "clone", to, "the name is taken");
    }
    entry.file = file;
    return absl::OkStatus();
  });
}

void MemoryFileSystem::List(absl::string_view prefix, absl::string_view cursor,
                            ListCallback done) {
  Finish(ListNow(prefix, cursor), std::move(done));
}

absl::StatusOr<FileListing> MemoryFileSystem::ListNow(
    absl::string_view prefix, absl::string_view cursor) const {
  FileListing listing;
  absl::ReaderMutexLock lock(&mu_);
  for (auto it = cursor.empty() ? names_.lower_bound(prefix)
                                : names_.upper_bound(cursor);
       it != names_.end() && absl::StartsWith(it->first, prefix); ++it) {
    const auto& [name, entry] = *it;
    if (entry.file == nullptr) continue;
    if (listing.entries.size() == kListPageEntries) {
      listing.cursor = listing.entries.back().name;
      break;
    }
    listing.entries.push_back({name, entry.file->size()});
  }
  return listing;
}

void MemoryFileSystem::ReadMeta(absl::string_view name, MetaCallback done) {
  Finish(ReadMetaNow(name), std::move(done));
}

absl::StatusOr<MetaObject> MemoryFileSystem::ReadMetaNow(
    absl::string_view name) const {
  SHALE_RETURN_IF_ERROR(CheckFileName("read", name));
  absl::ReaderMutexLock lock(&mu_);
  const std::shared_ptr<const MetaObject> meta = Find(name).meta;
  if (meta == nullptr) {
    return FileError(FileOutcome::kNotFound, "read", name,
                     "no such metadata object");
  }
  return MetaObject{meta->bytes, meta->version, std::string(name)};
}

void MemoryFileSystem::CommitMeta(absl::string_view name, std::string bytes,
                                  MetaVersion expected, const OwnerToken& token,
                                  CommitCallback done) {
  FinishDurably(
      name,
      [&] { return CommitMetaNow(name, std::move(bytes), expected, token); },
      std::move(done));
}

absl::StatusOr<MetaVersion> MemoryFileSystem::CommitMetaNow(
    absl::string_view name, std::string bytes, MetaVersion expected,
    const OwnerToken& token) {
  SHALE_RETURN_IF_ERROR(CheckMetaSize(name, bytes.size()));
  MetaVersion version;
  SHALE_RETURN_IF_ERROR(leases_.Mutate("commit", name, token, [&] {
    absl::MutexLock lock(&mu_);
    const Entry entry = Find(name);
    if (entry.file != nullptr) {
      return FileError(FileOutcome::kExists, "commit", name,
                       "the name is a file's");
    }
    const MetaVersion current =
        entry.meta == nullptr ? MetaVersion() : entry.meta->version;
    SHALE_RETURN_IF_ERROR(CheckMetaVersion(name, current, expected));
    if (!space_.Take(bytes.size())) {
      return FileError(FileOutcome::kNoSpace, "commit", name,
                       "the file system is full");
    }
    space_.Give(bytes.size());
    version.value = current.value + 1;
    names_[std::string(name)].meta = std::make_shared<const MetaObject>(
        MetaObject{std::move(bytes), version});
    return absl::OkStatus();
  }));
  return version;
}

void MemoryFileSystem::Acquire(absl::string_view directory,
                               absl::string_view owner, uint64_t above,
                               AcquireCallback done) {
  Finish(AcquireNow(directory, owner, above), std::move(done));
}

absl::StatusOr<std::unique_ptr<Lease>> MemoryFileSystem::AcquireNow(
    absl::string_view directory, absl::string_view owner, uint64_t above) {
  SHALE_RETURN_IF_ERROR(CheckDirectoryName("acquire", directory));
  absl::MutexLock lock(&acquire_mu_);
  if (const auto holder = leases_.HeldGrant(directory); holder != nullptr) {
    return OwnedError("acquire", directory, holder->token().owner);
  }
  const auto readers = readers_.find(directory);
  if (readers != readers_.end() && !readers->second.expired()) {
    return SharedError(directory, "somebody");
  }
  uint64_t& last = epochs_[std::string(directory)];
  SHALE_ASSIGN_OR_RETURN(last, EpochAbove(directory, std::max(last, above)));
  return leases_.Grant(
      {std::string(directory), last, std::string(owner)},
      [] { return absl::OkStatus(); }, [] {});
}

void MemoryFileSystem::Share(absl::string_view directory,
                             AcquireCallback done) {
  Finish(ShareNow(directory), std::move(done));
}

absl::StatusOr<std::unique_ptr<Lease>> MemoryFileSystem::ShareNow(
    absl::string_view directory) {
  SHALE_RETURN_IF_ERROR(CheckDirectoryName("share", directory));
  absl::MutexLock lock(&acquire_mu_);
  if (const auto holder = leases_.HeldGrant(directory); holder != nullptr) {
    return OwnedError("share", directory, holder->token().owner);
  }
  std::weak_ptr<const bool>& readers = readers_[std::string(directory)];
  std::shared_ptr<const bool> reader = readers.lock();
  if (reader == nullptr) {
    reader = std::make_shared<const bool>(true);
    readers = reader;
  }
  return std::make_unique<SharedLease>(
      std::string(directory),
      [reader = std::move(reader)]() mutable { reader.reset(); });
}

void MemoryFileSystem::Seal(absl::string_view name, const OwnerToken& successor,
                            SealCallback done) {
  FinishDurably(
      name, [&] { return SealNow(name, successor); }, std::move(done));
}

absl::StatusOr<uint64_t> MemoryFileSystem::SealNow(
    absl::string_view name, const OwnerToken& successor) {
  uint64_t size = 0;
  SHALE_RETURN_IF_ERROR(leases_.Mutate("seal", name, successor, [&] {
    absl::MutexLock lock(&mu_);
    const std::shared_ptr<MemoryFile> file = Find(name).file;
    if (file == nullptr) {
      return FileError(FileOutcome::kNotFound, "seal", name, "no such file");
    }
    SHALE_ASSIGN_OR_RETURN(size, file->Finish(name));
    return absl::OkStatus();
  }));
  return size;
}

absl::Status MemoryFileSystem::SyncFile(const std::string& name,
                                        MemoryFile& file) {
  absl::MutexLock lock(&mu_);
  SHALE_RETURN_IF_ERROR(file.Sync(name));
  MakeNameDurable(name);
  return absl::OkStatus();
}

MemoryFileSystem::Entry MemoryFileSystem::Find(absl::string_view name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? Entry() : found->second;
}

uint64_t MemoryFileSystem::crashes() const {
  absl::ReaderMutexLock lock(&mu_);
  return crashes_;
}

void MemoryFileSystem::MakeNameDurable(const std::string& name) {
  const auto found = names_.find(name);
  if (found == names_.end()) {
    durable_names_.erase(name);
  } else {
    durable_names_[name] = found->second;
  }
}

void MemoryFileSystem::ExpireLease(absl::string_view directory) {
  if (const auto holder = leases_.HeldGrant(directory); holder != nullptr) {
    holder->End();
  }
}

void MemoryFileSystem::Crash(uint64_t seed) {
  leases_.EndAll();
  {
    absl::MutexLock lock(&acquire_mu_);
    readers_.clear();
  }
  Random random(seed);
  absl::MutexLock lock(&mu_);
  ++crashes_;
  for (auto& [name, entry] : names_) durable_names_.try_emplace(name);
  Names after;
  absl::flat_hash_map<MemoryFile*, std::shared_ptr<MemoryFile>> files;
  for (const auto& [name, durable] : durable_names_) {
    const Entry now = Find(name);
    Entry left = now == durable || random.OneIn(2) ? now : durable;
    for (const Entry& entry : {now, durable}) {
      if (entry.file != nullptr && files.count(entry.file.get()) == 0) {
        files[entry.file.get()] = entry.file->Crash(random);
      }
    }
    if (left.file != nullptr) left.file = files[left.file.get()];
    if (!left.absent()) after[name] = std::move(left);
  }
  names_ = after;
  durable_names_ = std::move(after);
}

}  // namespace shale
