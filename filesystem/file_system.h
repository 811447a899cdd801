#ifndef SHALE_FILESYSTEM_FILE_SYSTEM_H_
#define SHALE_FILESYSTEM_FILE_SYSTEM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/filesystem/append_file.h"
#include "shale/filesystem/lease.h"
#include "shale/filesystem/owner_token.h"
#include "shale/filesystem/read_file.h"

namespace shale {

enum class FileKind { kLog, kData };

// What a backend can do and likes, the same for as long as it lives.
struct FileSystemCapabilities {
  // An append that succeeded is durable without a sync.
  bool durable_on_append = false;
  // The backend itself refuses appends of a fenced owner.
  bool guarded_append = false;
  // Largest file, and the sizes of append and read that it likes best.
  uint64_t max_file_bytes = 0;
  size_t preferred_append_bytes = 0;
  size_t preferred_read_bytes = 0;
};

// Of Create.
struct CreateOptions {
  // Space to set aside for the file; a hint. The file's size is not changed by
  // it, and at the end what it doesn't need is free again.
  uint64_t expected_bytes = 0;
  // No hint: without that space there is no file, but kNoSpace, or kInvalid
  // where the backend can set none aside.
  bool must_reserve = false;
};

// The state of a metadata object; an equal version means equal bytes.
struct MetaVersion {
  uint64_t value = 0;  // 0: absent.
  friend bool operator==(MetaVersion, MetaVersion) = default;
};
// What ReadMeta found.
struct MetaObject {
  std::string bytes;
  MetaVersion version;
  // Where the bytes were read from, for messages: the file that holds them and
  // where in it they begin. A backend without such files leaves the object's
  // own name and 0.
  std::string file = {};
  uint64_t file_offset = 0;
};

// A part of what List found, in no particular order.
struct FileListing {
  struct Entry {
    std::string name;
    uint64_t size = 0;
  };
  std::vector<Entry> entries;
  // Where to go on; empty at the end.
  std::string cursor;
};

using CreateCallback =
    absl::AnyInvocable<void(absl::StatusOr<std::unique_ptr<AppendFile>>)>;
using OpenCallback =
    absl::AnyInvocable<void(absl::StatusOr<std::unique_ptr<ReadFile>>)>;
using ListCallback = absl::AnyInvocable<void(absl::StatusOr<FileListing>)>;
using MetaCallback = absl::AnyInvocable<void(absl::StatusOr<MetaObject>)>;
using CommitCallback = absl::AnyInvocable<void(absl::StatusOr<MetaVersion>)>;
using AcquireCallback =
    absl::AnyInvocable<void(absl::StatusOr<std::unique_ptr<Lease>>)>;
using SealCallback = absl::AnyInvocable<void(absl::StatusOr<uint64_t>)>;

// Where a region keeps its bytes: immutable, append-once files and small
// metadata objects that are replaced as a whole by compare-and-swap. There is
// no rename, overwrite, truncate, link, directory or file lock in it, so that
// an object store can implement it as well as a disk.
//
// Names are relative, '/'-separated, at most 2048 bytes, each part 1 to 255
// bytes of anything but '/' and NUL and not beginning with a dot (such names
// are the backend's own); a bad name is INVALID_ARGUMENT. A name is that of a
// file, of a metadata object, or of a directory of them, and is never used
// twice: make it from a UUID or an epoch and a counter. A directory may be
// empty, for everything, and needs no making.
//
// Every mutating call carries the token of the lease that covers the name: the
// token's directory is the name's or one above it, else INVALID_ARGUMENT. A
// call whose token is fenced, or whose lease has ended, fails as
// FileOutcome::kFenced and changes nothing.
//
// Results are the closed set of outcome.h. Callbacks run on the executor given
// at construction, never inside the call that started them, in any order. The
// destructor waits for them, running those itself that have not begun; files
// and leases must be gone by then. Thread-safe. blocking.h has the calls that
// wait.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  virtual FileSystemCapabilities capabilities() const = 0;

  // Makes a new, empty file; kExists if the name is taken. The name is durable
  // after the file's first sync.
  virtual void Create(absl::string_view name, FileKind kind,
                      const OwnerToken& token, const CreateOptions& options,
                      CreateCallback done) = 0;

  // Opens for reading. A known size spares a question to the backend.
  virtual void Open(absl::string_view name, std::optional<uint64_t> known_size,
                    OpenCallback done) = 0;

  // Removes the file or metadata object. Idempotent: removing what isn't there
  // succeeds. Durable when `done` runs.
  virtual void Remove(absl::string_view name, const OwnerToken& token,
                      StatusCallback done) = 0;

  // A second name for the bytes of a finished file; kConflict if it is not
  // finished, kExists if `to` is taken. `token` covers `to`. Durable when
  // `done` runs.
  virtual void Clone(absl::string_view from, absl::string_view to,
                     const OwnerToken& token, StatusCallback done) = 0;

  // The files (not metadata objects) whose names start with `prefix`, in any
  // order, perhaps stale. Never the truth about what is live. Start with an
  // empty cursor.
  virtual void List(absl::string_view prefix, absl::string_view cursor,
                    ListCallback done) = 0;

  // A metadata object as a whole, at most kMaxMetaBytes. kNotFound if absent.
  virtual void ReadMeta(absl::string_view name, MetaCallback done) = 0;

  // Replaces the object if its version is still `expected` (absent:
  // MetaVersion{0}), durably. kConflict if it is not. After kUnknown the commit
  // may be applied, now or later: read, and compare a commit id of your own in
  // the bytes.
  virtual void CommitMeta(absl::string_view name, std::string bytes,
                          MetaVersion expected, const OwnerToken& token,
                          CommitCallback done) = 0;

  // Takes ownership of `directory` under a new epoch, larger than `above` and
  // than that of any owner before who changed something. `owner` names the
  // caller for people. While a live owner holds it, in this process too:
  // FAILED_PRECONDITION naming that owner; kCorrupt if the record of the last
  // owner is damaged, and kInvalid if no epoch is larger.
  //
  // The epoch is recorded, durably, by the first call that changes something,
  // which fails as that does: an owner who only looks leaves no trace in what
  // the directory held.
  //
  // Whoever puts epochs into names of files gives the largest of them as
  // `above`: should the record of the last owner be lost, no name is used twice
  // yet.
  virtual void Acquire(absl::string_view directory, absl::string_view owner,
                       uint64_t above, AcquireCallback done) = 0;

  // Keeps owners out of `directory` for as long as the lease lives, so that it
  // can be looked at in peace; any number of such leases may be held at a time.
  // Changes nothing, and its token (epoch 0) can't either. While a live owner
  // holds the directory: FAILED_PRECONDITION naming it. (A directory that
  // nobody ever owned has nothing in it to guard.)
  virtual void Share(absl::string_view directory, AcquireCallback done) = 0;

  // Finishes a log from outside and gives its final length, durable: at least
  // every sync acknowledged to its writer, and no append is accepted from here
  // on. The writer is an owner before `successor`, fenced, or `successor`
  // itself, which so finds out how an append with an unknown outcome ended.
  // Idempotent.
  virtual void Seal(absl::string_view name, const OwnerToken& successor,
                    SealCallback done) = 0;
};

inline constexpr size_t kMaxMetaBytes = 1 << 20;

}  // namespace shale

#endif  // SHALE_FILESYSTEM_FILE_SYSTEM_H_
