#include "shale/region/maintenance.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/completion.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/filesystem/blocking.h"

namespace shale {
namespace {

// How long a marker waits for its place in the log.
constexpr absl::Duration kMarkerPatience = absl::Seconds(1);

absl::StatusOr<std::unique_ptr<StoreFileWriter>> MakeStoreFile(
    const MaintenanceServices& s, size_t id, const std::string& name,
    bool includes_oldest) {
  SHALE_ASSIGN_OR_RETURN(
      std::unique_ptr<AppendFile> file,
      CreateFile(s.files.files, absl::StrCat(s.files.directory, name),
                 FileKind::kData, s.files.token, CreateOptions{}));
  const ColumnFamilyOptions& family = s.schema.families[id];
  StoreFileWriterOptions options;
  options.family = family.name;
  options.block_bytes = family.block_bytes;
  options.compression = family.compression;
  options.bloom = family.bloom;
  options.includes_oldest = includes_oldest;
  return NewStoreFileWriter(std::move(file), options, s.clock);
}

}  // namespace

absl::StatusOr<WrittenFile> WriteStoreFile(
    const MaintenanceServices& services, size_t id, CellScanner& input,
    const RewriteView& view, absl::FunctionRef<absl::Status()> keep_going) {
  const ColumnFamilyOptions& family = services.schema.families[id];
  const std::string name = services.names.Next();
  WrittenFile written;
  SHALE_ASSIGN_OR_RETURN(written.result,
                         Rewrite(
                             input, family.retention, view,
                             [&] {
                               return MakeStoreFile(
                                   services, id, name,
                                   view.scope == RewriteScope::kFromOldest);
                             },
                             [&](uint64_t) { return keep_going(); }));
  if (written.result.cells_written == 0) return written;
  const ManifestFile entry{name, written.result.info.file_bytes, "", ""};
  absl::StatusOr<std::shared_ptr<StoreFile>> file =
      StoreFile::Open(services.files, entry);
  if (!file.ok()) {
    // Whoever tries again makes another. Should it stay, it is an orphan that
    // the next open collects.
    RemoveFile(services.files.files,
               absl::StrCat(services.files.directory, name),
               services.files.token)
        .IgnoreError();
    return file.status();
  }
  written.file = *std::move(file);
  return written;
}

void AppendMarker(const MaintenanceServices& services, LogEntryType type,
                  absl::string_view payload) {
  const absl::Status status = [&] {
    const int64_t bytes = static_cast<int64_t>(payload.size());
    const absl::Duration deadline =
        services.clock.Monotonic() + kMarkerPatience;
    Waiter<absl::Status> reserved;
    services.wal.Reserve(bytes, deadline, reserved.callback());
    SHALE_RETURN_IF_ERROR(reserved.Wait());
    const absl::Status slot = services.health.AwaitUnlessPoisoned(
        "too many writes are in flight", deadline,
        [&mvcc = services.mvcc](absl::AnyInvocable<bool()> granted) {
          mvcc.Reserve([&mvcc, granted = std::move(granted)]() mutable {
            if (!granted()) mvcc.CancelReservation();
          });
        });
    if (!slot.ok()) {
      services.wal.CancelReservation(bytes);
      return slot;
    }
    const absl::StatusOr<BeginResult> begun = services.mvcc.Begin(
        1, [&](WriteRange range) -> absl::StatusOr<Appended> {
          LogEntry entry;
          entry.type = type;
          entry.region = services.incarnation;
          entry.range = range;
          entry.payload = payload;
          SHALE_RETURN_IF_ERROR(services.wal.Append(entry, bytes).status());
          return Appended{kLogStart};
        });
    if (begun.ok()) {
      services.mvcc.MarkInserted(begun->range);
    } else {
      services.mvcc.CancelReservation();
      services.wal.CancelReservation(bytes);
    }
    return begun.status();
  }();
  if (status.ok()) return;
  services.log.Log(Severity::kWarning, services.schema.name,
                   absl::StrCat("no marker was logged: ", status.message()));
}

}  // namespace shale
