// FileSystem calls that wait. Not for a thread of the file system's executor,
// nor with an executor that the calling thread itself would have to run.
#ifndef SHALE_FILESYSTEM_BLOCKING_H_
#define SHALE_FILESYSTEM_BLOCKING_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/filesystem/append_file.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/lease.h"
#include "shale/filesystem/owner_token.h"
#include "shale/filesystem/read_file.h"

namespace shale {

// As the methods of FileSystem and AppendFile with these names.
absl::StatusOr<std::unique_ptr<AppendFile>> CreateFile(
    FileSystem& files, absl::string_view name, FileKind kind,
    const OwnerToken& token, const CreateOptions& options = {});
absl::StatusOr<std::unique_ptr<ReadFile>> OpenFile(
    FileSystem& files, absl::string_view name,
    std::optional<uint64_t> known_size = std::nullopt);
absl::Status RemoveFile(FileSystem& files, absl::string_view name,
                        const OwnerToken& token);
absl::Status CloneFile(FileSystem& files, absl::string_view from,
                       absl::string_view to, const OwnerToken& token);
absl::StatusOr<MetaObject> ReadMeta(FileSystem& files, absl::string_view name);
absl::StatusOr<MetaVersion> CommitMeta(FileSystem& files,
                                       absl::string_view name,
                                       std::string bytes, MetaVersion expected,
                                       const OwnerToken& token);
absl::StatusOr<std::unique_ptr<Lease>> AcquireLease(FileSystem& files,
                                                    absl::string_view directory,
                                                    absl::string_view owner,
                                                    uint64_t above = 0);
absl::StatusOr<std::unique_ptr<Lease>> ShareLease(FileSystem& files,
                                                  absl::string_view directory);
absl::StatusOr<uint64_t> SealFile(FileSystem& files, absl::string_view name,
                                  const OwnerToken& successor);
absl::Status FinishFile(AppendFile& file);

// All pages of a listing.
absl::StatusOr<std::vector<FileListing::Entry>> ListFiles(
    FileSystem& files, absl::string_view prefix);

// The bytes of a file from its start to its size at open.
absl::StatusOr<std::string> ReadWholeFile(FileSystem& files,
                                          absl::string_view name);

// Makes a finished data file of `bytes`. After an error the file is given up.
absl::Status WriteWholeFile(FileSystem& files, absl::string_view name,
                            absl::string_view bytes, const OwnerToken& token);

}  // namespace shale

#endif  // SHALE_FILESYSTEM_BLOCKING_H_
