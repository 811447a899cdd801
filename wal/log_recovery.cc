#include "shale/wal/log_recovery.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "shale/base/completion.h"
#include "shale/base/status_macros.h"
#include "shale/filesystem/blocking.h"
#include "shale/wal/log_files.h"
#include "shale/wal/log_replay.h"
#include "shale/wal/log_scan.h"
#include "shale/wal/segmented_wal.h"

namespace shale {
namespace {

absl::Status SealAll(FileSystem& file_system, const std::vector<LogFile>& files,
                     const OwnerToken& token) {
  for (const LogFile& file : files) {
    if (file.id.epoch >= token.epoch) {
      return absl::FailedPreconditionError(
          absl::StrCat("opening the log with epoch ", token.epoch, ": ",
                       file.name, " is not older"));
    }
    SHALE_RETURN_IF_ERROR(SealFile(file_system, file.name, token).status());
  }
  return absl::OkStatus();
}

// Whether the file has gone. That it stays endangers nothing, and is logged.
bool Remove(const WalEnvironment& env, const std::string& name,
            const OwnerToken& token) {
  const absl::Status status = RemoveFile(env.files, name, token);
  if (status.ok()) return true;
  env.log.Log(Severity::kWarning, "wal",
              absl::StrCat("a file that is no part of the log stays: ",
                           status.ToString()));
  return false;
}

// Appends a record of an older generation to the new one.
absl::StatusOr<LogPosition> CarryOver(Wal& wal, const LogEntry& entry) {
  const int64_t bytes = static_cast<int64_t>(entry.payload.size());
  Waiter<absl::Status> reserved;
  wal.Reserve(bytes, absl::InfiniteDuration(), reserved.callback());
  SHALE_RETURN_IF_ERROR(reserved.Wait());
  return wal.Append(entry, bytes);
}

absl::Status Recover(const LogScan& scan, SegmentedWal& wal, RecoverySink& sink,
                     RecoveryReport& report) {
  SHALE_RETURN_IF_ERROR(ReplayLog(
      scan, sink,
      [&wal](const LogRecord& record) { return CarryOver(wal, record.entry); },
      report));
  return wal.FinishRecovery();
}

// Leaves the directory as it was, as far as that is possible.
absl::Status GiveUp(std::unique_ptr<SegmentedWal> wal, absl::Status error,
                    const WalEnvironment& env, absl::string_view directory,
                    const OwnerToken& token) {
  const LogHealth health = wal->health();
  if (health.state == LogHealth::State::kPoisoned) error = health.cause;
  wal.reset();
  absl::StatusOr<std::vector<LogFile>> files =
      ListLogFiles(env.files, directory);
  if (!files.ok()) return error;
  // Newest first, and none beneath one that stays: what is left at any moment
  // is a generation without gaps and without a marker, which the next recovery
  // reads and ignores. One with a gap would look damaged.
  for (auto file = files->rbegin();
       file != files->rend() && file->id.epoch == token.epoch; ++file) {
    if (!Remove(env, file->name, token)) break;
  }
  return error;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Wal>> RecoverLog(
    const WalOptions& options, const WalEnvironment& environment,
    absl::string_view directory, const OwnerToken& token, RecoverySink& sink,
    RecoveryReport* report, const LogEngineFactory& new_engine) {
  SHALE_RETURN_IF_ERROR(ValidateWalOptions(options));
  SHALE_ASSIGN_OR_RETURN(const std::vector<LogFile> old_files,
                         ListLogFiles(environment.files, directory));
  SHALE_RETURN_IF_ERROR(SealAll(environment.files, old_files, token));
  SHALE_ASSIGN_OR_RETURN(const LogScan scan,
                         LogScan::Open(environment.files, directory));

  LogGeneration generation{token, kLogStart, scan.epoch()};
  if (scan.epoch() != 0) {
    generation.start = {scan.extent().end.value + kGenerationGap};
  }
  auto wal = std::make_unique<SegmentedWal>(options, environment, directory,
                                            generation, new_engine);
  RecoveryReport unread;
  const absl::Status recovered =
      Recover(scan, *wal, sink, report != nullptr ? *report : unread);
  if (!recovered.ok()) {
    return GiveUp(std::move(wal), recovered, environment, directory, token);
  }
  // In any order: with a newer generation complete, these don't count.
  for (const LogFile& file : old_files) Remove(environment, file.name, token);
  return wal;
}

}  // namespace shale
