#include "shale/wal/testing/log_harness.h"

#include <utility>

#include "shale/base/check.h"
#include "shale/base/completion.h"
#include "shale/base/status_macros.h"
#include "shale/filesystem/blocking.h"
#include "shale/wal/log_files.h"

namespace shale {

Uuid TestRegion(int n) {
  Uuid uuid;
  uuid.bytes[0] = 0xab;
  uuid.bytes[15] = static_cast<uint8_t>(n);
  return uuid;
}

LogEntry TestEntry(absl::string_view payload, int region, uint64_t families) {
  LogEntry entry;
  entry.region = TestRegion(region);
  entry.range = {{1}, {1}};
  entry.families = families;
  entry.payload = payload;
  return entry;
}

LogHarness::LogHarness(const WalVariant& variant, Clock& clock)
    : variant_(variant),
      clock_(clock),
      executor_(2, clock),
      memory_(executor_),
      faulty_(memory_, executor_),
      hooked_(faulty_) {}

LogHarness::~LogHarness() { Kill(); }

absl::Status LogHarness::Acquire() {
  if (lease_ != nullptr) return absl::OkStatus();
  SHALE_ASSIGN_OR_RETURN(lease_, AcquireLease(hooked_, "host", "test"));
  return absl::OkStatus();
}

absl::Status LogHarness::Open(RecoverySink& sink) {
  lease_.reset();
  SHALE_RETURN_IF_ERROR(Acquire());
  return OpenWith(lease_->token(), sink);
}

absl::Status LogHarness::OpenWith(const OwnerToken& token, RecoverySink& sink) {
  SHALE_CHECK(wal_ == nullptr);
  const WalEnvironment environment{hooked_, clock_, executor_, metrics_, log};
  SHALE_ASSIGN_OR_RETURN(wal_, variant_.open(options, environment, kDirectory,
                                             token, sink, &report_));
  return absl::OkStatus();
}

absl::Status LogHarness::Open() {
  replayed_ = CollectingSink();
  return Open(replayed_);
}

absl::Status LogHarness::Close() {
  if (wal_ == nullptr) return absl::OkStatus();
  const absl::Status status = wal_->Close();
  Kill();
  return status;
}

void LogHarness::Kill() {
  wal_.reset();
  lease_.reset();
}

void LogHarness::Crash(uint64_t seed) {
  faulty_.Crash(seed);
  hooked_.SetHook(nullptr);
  Kill();
}

absl::StatusOr<LogPosition> LogHarness::Append(const LogEntry& entry) {
  const int64_t bytes = static_cast<int64_t>(entry.payload.size());
  Waiter<absl::Status> reserved;
  wal_->Reserve(bytes, absl::InfiniteDuration(), reserved.callback());
  SHALE_RETURN_IF_ERROR(reserved.Wait());
  auto position = wal_->Append(entry, bytes);
  if (!position.ok()) wal_->CancelReservation(bytes);
  return position;
}

absl::Status LogHarness::Sync(LogPosition position, SyncLevel level) {
  Waiter<absl::Status> synced;
  wal_->Sync(position, level, synced.callback());
  return synced.Wait();
}

absl::Status LogHarness::Write(absl::string_view payload) {
  SHALE_ASSIGN_OR_RETURN(const LogPosition position,
                         Append(TestEntry(payload)));
  return Sync(position);
}

absl::Status LogHarness::Roll() {
  Waiter<absl::Status> rolled;
  wal_->Roll(rolled.callback());
  return rolled.Wait();
}

int64_t LogHarness::CounterValue(absl::string_view name) {
  return metrics_.GetCounter(name, "", {{"log", kDirectory}}).value();
}

std::vector<std::string> LogHarness::Segments() {
  const auto files = ListLogFiles(memory_, kDirectory);
  SHALE_CHECK_OK(files);
  std::vector<std::string> names;
  for (const LogFile& file : *files) names.push_back(file.name);
  return names;
}

std::string LogHarness::ReadBytes(absl::string_view name) {
  auto bytes = ReadWholeFile(memory_, name);
  SHALE_CHECK_OK(bytes);
  return *std::move(bytes);
}

std::map<std::string, std::string> LogHarness::Snapshot() {
  std::map<std::string, std::string> snapshot;
  for (const std::string& name : Segments()) snapshot[name] = ReadBytes(name);
  return snapshot;
}

void LogHarness::Restore(const std::map<std::string, std::string>& snapshot) {
  for (const std::string& name : Segments()) RemoveFile(name);
  for (const auto& [name, bytes] : snapshot) WriteBytes(name, bytes);
}

void LogHarness::WriteBytes(absl::string_view name, absl::string_view bytes) {
  RemoveFile(name);
  SHALE_CHECK_OK(WriteWholeFile(memory_, name, bytes, lease_->token()));
}

void LogHarness::RemoveFile(absl::string_view name) {
  SHALE_CHECK_OK(Acquire());
  SHALE_CHECK_OK(shale::RemoveFile(memory_, name, lease_->token()));
}

std::string VariantName(const testing::TestParamInfo<const WalVariant*>& info) {
  return info.param->name;
}

std::vector<const WalVariant*> AllVariants() {
  std::vector<const WalVariant*> variants;
  for (const WalVariant& variant : WalVariants()) variants.push_back(&variant);
  return variants;
}

}  // namespace shale
