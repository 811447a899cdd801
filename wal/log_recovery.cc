#include "shale/wal/log_recovery.h"

#include <algorithm>
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

void RemoveAll(const WalEnvironment& env, const std::vector<LogFile>& files,
               const OwnerToken& token) {
  for (const LogFile& file : files) {
    const absl::Status status = RemoveFile(env.files, file.name, token);
    if (status.ok()) continue;
    // Harmless: the next recovery ignores it and tries again.
    env.log.Log(Severity::kWarning, "wal",
                absl::StrCat("a file of an older generation stays: ",
                             status.ToString()));
  }
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
  files->erase(
      files->begin(),
      std::find_if(files->begin(), files->end(), [&token](const LogFile& file) {
        return file.id.epoch == token.epoch;
      }));
  RemoveAll(env, *files, token);
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
  RemoveAll(environment, old_files, token);
  return wal;
}

}  // namespace shale
