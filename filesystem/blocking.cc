#include "shale/filesystem/blocking.h"

#include <iterator>
#include <utility>

#include "shale/base/completion.h"
#include "shale/base/status_macros.h"

namespace shale {

absl::StatusOr<std::unique_ptr<AppendFile>> CreateFile(
    FileSystem& files, absl::string_view name, FileKind kind,
    const OwnerToken& token, const CreateOptions& options) {
  Waiter<absl::StatusOr<std::unique_ptr<AppendFile>>> created;
  files.Create(name, kind, token, options, created.callback());
  return created.Wait();
}

absl::StatusOr<std::unique_ptr<ReadFile>> OpenFile(
    FileSystem& files, absl::string_view name,
    std::optional<uint64_t> known_size) {
  Waiter<absl::StatusOr<std::unique_ptr<ReadFile>>> opened;
  files.Open(name, known_size, opened.callback());
  return opened.Wait();
}

absl::Status RemoveFile(FileSystem& files, absl::string_view name,
                        const OwnerToken& token) {
  Waiter<absl::Status> removed;
  files.Remove(name, token, removed.callback());
  return removed.Wait();
}

absl::Status CloneFile(FileSystem& files, absl::string_view from,
                       absl::string_view to, const OwnerToken& token) {
  Waiter<absl::Status> cloned;
  files.Clone(from, to, token, cloned.callback());
  return cloned.Wait();
}

absl::StatusOr<MetaObject> ReadMeta(FileSystem& files, absl::string_view name) {
  Waiter<absl::StatusOr<MetaObject>> read;
  files.ReadMeta(name, read.callback());
  return read.Wait();
}

absl::StatusOr<MetaVersion> CommitMeta(FileSystem& files,
                                       absl::string_view name,
                                       std::string bytes, MetaVersion expected,
                                       const OwnerToken& token) {
  Waiter<absl::StatusOr<MetaVersion>> committed;
  files.CommitMeta(name, std::move(bytes), expected, token,
                   committed.callback());
  return committed.Wait();
}

absl::StatusOr<std::unique_ptr<Lease>> AcquireLease(FileSystem& files,
                                                    absl::string_view directory,
                                                    absl::string_view owner,
                                                    uint64_t above) {
  Waiter<absl::StatusOr<std::unique_ptr<Lease>>> acquired;
  files.Acquire(directory, owner, above, acquired.callback());
  return acquired.Wait();
}

absl::StatusOr<std::unique_ptr<Lease>> ShareLease(FileSystem& files,
                                                  absl::string_view directory) {
  Waiter<absl::StatusOr<std::unique_ptr<Lease>>> shared;
  files.Share(directory, shared.callback());
  return shared.Wait();
}

absl::StatusOr<uint64_t> SealFile(FileSystem& files, absl::string_view name,
                                  const OwnerToken& successor) {
  Waiter<absl::StatusOr<uint64_t>> sealed;
  files.Seal(name, successor, sealed.callback());
  return sealed.Wait();
}

absl::Status FinishFile(AppendFile& file) {
  Waiter<absl::Status> finished;
  file.Finish(finished.callback());
  return finished.Wait();
}

absl::StatusOr<std::vector<FileListing::Entry>> ListFiles(
    FileSystem& files, absl::string_view prefix) {
  std::vector<FileListing::Entry> entries;
  std::string cursor;
  do {
    Waiter<absl::StatusOr<FileListing>> listed;
    files.List(prefix, cursor, listed.callback());
    SHALE_ASSIGN_OR_RETURN(FileListing page, listed.Wait());
    entries.insert(entries.end(), std::make_move_iterator(page.entries.begin()),
                   std::make_move_iterator(page.entries.end()));
    cursor = std::move(page.cursor);
  } while (!cursor.empty());
  return entries;
}

absl::StatusOr<std::string> ReadWholeFile(FileSystem& files,
                                          absl::string_view name) {
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<ReadFile> file,
                         OpenFile(files, name));
  return file->ReadNow({.offset = 0, .length = file->size()});
}

absl::Status WriteWholeFile(FileSystem& files, absl::string_view name,
                            absl::string_view bytes, const OwnerToken& token) {
  SHALE_ASSIGN_OR_RETURN(const std::unique_ptr<AppendFile> file,
                         CreateFile(files, name, FileKind::kData, token,
                                    {.expected_bytes = bytes.size()}));
  absl::Status written = file->AppendNow(bytes).status();
  if (written.ok()) written = FinishFile(*file);
  if (!written.ok()) file->Abandon();
  return written;
}

}  // namespace shale
