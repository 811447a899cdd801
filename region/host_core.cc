#include "shale/region/host_core.h"

#include <cstdint>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/filesystem/blocking.h"
#include "shale/region/close_record.h"
#include "shale/region/host_layout.h"
#include "shale/region/host_metadata.h"
#include "shale/region/manifest_store.h"
#include "shale/region/region_core.h"
#include "shale/region/region_metrics.h"
#include "shale/region/store_file.h"
#include "shale/region/used_epoch.h"
#include "shale/wal/log_scan.h"
#include "shale/wal/read_wal.h"

namespace shale {
namespace {

constexpr int64_t kMaxReserveBytes = int64_t{1} << 40;

}  // namespace

absl::StatusOr<std::unique_ptr<HostCore>> HostCore::Open(
    const HostEnvironment& environment, const HostOptions& options) {
  if (options.reserve_bytes < 0 || options.reserve_bytes > kMaxReserveBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("HostOptions: reserve_bytes is between 0 and 2^40, got ",
                     options.reserve_bytes));
  }
  auto host = std::unique_ptr<HostCore>(new HostCore(environment, options));
  SHALE_RETURN_IF_ERROR(host->AcquireLease());
  SHALE_RETURN_IF_ERROR(host->OpenCatalog());
  SHALE_RETURN_IF_ERROR(host->ReadCloseRecord());
  SHALE_ASSIGN_OR_RETURN(const std::vector<Manifest> manifests,
                         host->ReadManifests());
  // What is found only when a region is opened, or when the log is replayed, is
  // found too late for a host that is to be written: then recovery has begun.
  if (!options.read_only) {
    SHALE_RETURN_IF_ERROR(host->CheckFiles(manifests));
  }
  SHALE_RETURN_IF_ERROR(host->Recover());
  return host;
}

HostCore::HostCore(const HostEnvironment& environment,
                   const HostOptions& options)
    : environment_(environment),
      options_(options),
      cache_(options.components.cache(options.cache)),
      cache_metrics_(environment.metrics.Collect(
          [this](std::vector<MetricSample>& samples) {
            AddCacheMetrics(options_.directory, cache_->Stats(), samples);
          })) {}

HostCore::~HostCore() { Close().IgnoreError(); }

absl::Status HostCore::AcquireLease() {
  if (options_.read_only) {
    SHALE_ASSIGN_OR_RETURN(lease_,
                           ShareLease(environment_.files, options_.directory));
  } else {
    const absl::Status there =
        ReadCatalog(environment_.files, options_.directory).status();
    if (!absl::IsNotFound(there) || !may_create()) {
      SHALE_RETURN_IF_ERROR(there);
    }
    SHALE_ASSIGN_OR_RETURN(
        const std::vector<FileListing::Entry> files,
        ListFiles(environment_.files, absl::StrCat(options_.directory, "/")));
    SHALE_RETURN_IF_ERROR(
        AcquireAbove(LargestUsedEpoch(options_.directory, files)));
  }
  store_file_names_ = std::make_unique<StoreFileNames>(token().epoch);
  return absl::OkStatus();
}

absl::Status HostCore::AcquireAbove(const UsedEpoch& used) {
  if (used.epoch == std::numeric_limits<uint64_t>::max()) {
    return absl::DataLossError(
        absl::StrCat(used.file,
                     ": its name has the largest epoch that there can be, so "
                     "no owner of this host can have made it"));
  }
  const auto acquire = [this](uint64_t above) {
    return shale::AcquireLease(environment_.files, options_.directory,
                               options_.owner, above);
  };
  SHALE_ASSIGN_OR_RETURN(lease_, acquire(0));
  if (token().epoch > used.epoch) return absl::OkStatus();
  // Owners go on record before they make a file.
  const uint64_t recorded = token().epoch - 1;
  lease_.reset();
  if (recorded > 0) {
    return absl::DataLossError(absl::StrCat(
        used.file, ": epoch ", used.epoch,
        " in its name, and the last owner's on record is ", recorded,
        ": the one is not of this host, or the other was put back, and "
        "metadata with it"));
  }
  SHALE_ASSIGN_OR_RETURN(lease_, acquire(used.epoch));
  return absl::OkStatus();
}

OwnerToken HostCore::token() const { return lease_->token(); }

absl::Status HostCore::OpenCatalog() {
  absl::StatusOr<Catalog> catalog =
      ReadCatalog(environment_.files, options_.directory);
  if (absl::IsNotFound(catalog.status()) && may_create()) {
    catalog = Catalog::Create(environment_.files, token(), options_.directory);
  }
  SHALE_RETURN_IF_ERROR(catalog.status());
  absl::MutexLock lock(&mu_);
  catalog_ = *std::move(catalog);
  return absl::OkStatus();
}

absl::Status HostCore::ReadCloseRecord() {
  SHALE_ASSIGN_OR_RETURN(
      const CloseRecord closed,
      CloseRecord::Read(environment_.files, options_.directory));
  absl::MutexLock lock(&mu_);
  replay_.SetClosed(closed);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Manifest>> HostCore::ReadManifests() {
  std::vector<Manifest> manifests;
  absl::MutexLock lock(&mu_);
  for (const Catalog::Entry& entry : catalog_.entries()) {
    SHALE_ASSIGN_OR_RETURN(
        Manifest manifest,
        ReadManifest(environment_.files, options_.directory, entry));
    replay_.AddRegion(manifest);
    manifests.push_back(std::move(manifest));
  }
  return manifests;
}

absl::Status HostCore::CheckFiles(absl::Span<const Manifest> manifests) {
  absl::MutexLock lock(&mu_);
  SHALE_ASSIGN_OR_RETURN(
      const LogScan log,
      LogScan::Open(environment_.files, LogDirectory(options_.directory)));
  SHALE_RETURN_IF_ERROR(replay_.Start(log.extent()));
  for (const Manifest& manifest : manifests) {
    const RegionFiles where{
        environment_.files, token(),
        RegionDirectory(options_.directory, manifest.incarnation), *cache_};
    SHALE_RETURN_IF_ERROR(OpenStoreFiles(where, manifest).status());
  }
  return absl::OkStatus();
}

absl::Status HostCore::Recover() {
  absl::MutexLock lock(&mu_);
  if (options_.read_only) {
    return ReadWal(environment_.files, LogDirectory(options_.directory),
                   replay_, &recovery_);
  }
  const WalEnvironment environment{environment_.files, environment_.clock,
                                   environment_.executor, environment_.metrics,
                                   environment_.log};
  reserve_ = std::make_unique<SpaceReserve>(
      environment_.files, token(), options_.directory, options_.reserve_bytes,
      environment_.log);
  reserve_->Reclaim();
  SHALE_ASSIGN_OR_RETURN(
      wal_, options_.components.open_wal(options_.wal, environment,
                                         LogDirectory(options_.directory),
                                         token(), replay_, &recovery_));
  reserve_->Renew();
  return absl::OkStatus();
}

absl::Status HostCore::CreateRegion(const RegionSchema& schema) {
  SHALE_RETURN_IF_ERROR(ValidateSchema(schema));
  for (const ColumnFamilyOptions& family : schema.families) {
    if (!IsAvailable(family.compression)) {
      return absl::UnimplementedError(
          absl::StrCat("column family ", family.name,
                       ": its compression is not in this build"));
    }
  }
  absl::MutexLock lock(&mu_);
  if (wal_ == nullptr) {
    return absl::FailedPreconditionError(
        "the host is open for inspection only");
  }
  if (catalog_.Find(schema.name) != nullptr) {
    return absl::AlreadyExistsError(
        absl::StrCat("region ", schema.name, " exists already"));
  }
  Manifest manifest;
  manifest.incarnation = Uuid::Generate();
  manifest.name = schema.name;
  manifest.start_row = schema.start_row;
  manifest.end_row = schema.end_row;
  for (const ColumnFamilyOptions& family : schema.families) {
    manifest.families.push_back({family, kNoWriteNumber, {}});
  }
  // Not appended(): what lies behind may be lost, and then no log goes so far.
  manifest.first_needed = wal_->durable();
  // The manifest first: a region is there once the catalog names it.
  SHALE_RETURN_IF_ERROR(ManifestStore::Create(
      environment_.files, token(),
      ManifestName(RegionDirectory(options_.directory, manifest.incarnation)),
      manifest));
  return catalog_.Add(environment_.files, token(),
                      {schema.name, manifest.incarnation});
}

absl::StatusOr<std::unique_ptr<Region>> HostCore::OpenRegion(
    absl::string_view name, const RegionOptions& options) {
  SHALE_RETURN_IF_ERROR(ValidateOptions(options));
  absl::MutexLock lock(&mu_);
  const Catalog::Entry* const entry = catalog_.Find(name);
  if (entry == nullptr) {
    return absl::NotFoundError(absl::StrCat("there is no region ", name));
  }
  if (const auto it = occupied_.find(entry->name); it != occupied_.end()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "region ", name,
        it->second == Occupied::kOpen
            ? " is open already"
            : " was closed with writes that are in the log alone; open the "
              "host again to recover them"));
  }
  const RegionContext context{
      environment_,
      options_.components,
      *cache_,
      token(),
      RegionDirectory(options_.directory, entry->incarnation),
      *store_file_names_,
      options_.trust_wall_clock,
      wal_.get(),
      reserve_.get()};
  SHALE_ASSIGN_OR_RETURN(
      std::unique_ptr<RegionCore> core,
      RegionCore::Open(context, options, replay_.Find(entry->incarnation)));
  // For inspection the same cells are read again at the next open.
  if (wal_ != nullptr) replay_.Forget(entry->incarnation);
  occupied_[entry->name] = Occupied::kOpen;
  core->set_on_destroy([this, region = entry->name](bool flushed) {
    OnRegionDestroyed(region, flushed);
  });
  return std::make_unique<Region>(std::move(core));
}

void HostCore::OnRegionDestroyed(const std::string& name, bool flushed) {
  absl::MutexLock lock(&mu_);
  if (flushed) {
    occupied_.erase(name);
  } else {
    occupied_[name] = Occupied::kClosedUnflushed;
  }
}

std::vector<std::string> HostCore::RegionNames() const {
  absl::MutexLock lock(&mu_);
  std::vector<std::string> names;
  for (const Catalog::Entry& entry : catalog_.entries()) {
    names.push_back(entry.name);
  }
  return names;
}

absl::Status HostCore::Close() {
  absl::MutexLock lock(&mu_);
  for (const auto& [name, how] : occupied_) {
    SHALE_CHECK(how != Occupied::kOpen) << "region " << name << " is open";
  }
  if (wal_ == nullptr) return absl::OkStatus();
  SHALE_RETURN_IF_ERROR(wal_->Close());
  // What is in the log alone, the next recovery needs space for.
  if (occupied_.empty() && !replay_.HoldsRecords()) reserve_->Release();
  RecordClose();
  return absl::OkStatus();
}

void HostCore::RecordClose() {
  if (std::exchange(close_recorded_, true)) return;
  const CloseRecord closed{token().epoch, wal_->durable()};
  const absl::Status status =
      closed.Write(environment_.files, token(), options_.directory);
  if (status.ok()) return;
  // Everything is durable all the same.
  environment_.log.Log(
      Severity::kWarning, options_.directory,
      absl::StrCat("closed, and not on record how far its log goes, so that "
                   "the loss of the log's end would go unnoticed: ",
                   status.ToString()));
}

}  // namespace shale
