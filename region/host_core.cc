#include "shale/region/host_core.h"

#include <cstdint>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/filesystem/blocking.h"
#include "shale/region/manifest_codec.h"
#include "shale/region/manifest_store.h"
#include "shale/region/region_core.h"
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
      cache_(options.components.cache(options.cache)) {}

HostCore::~HostCore() { Close().IgnoreError(); }

absl::Status HostCore::AcquireLease() {
  if (options_.read_only) {
    SHALE_ASSIGN_OR_RETURN(lease_,
                           ShareLease(environment_.files, options_.directory));
  } else {
    SHALE_ASSIGN_OR_RETURN(
        const std::vector<FileListing::Entry> files,
        ListFiles(environment_.files, absl::StrCat(options_.directory, "/")));
    SHALE_RETURN_IF_ERROR(CheckPresence(files));
    const UsedEpoch used = LargestUsedEpoch(options_.directory, files);
    if (used.epoch == std::numeric_limits<uint64_t>::max()) {
      return absl::DataLossError(
          absl::StrCat(used.file,
                       ": its name has the largest epoch that there can be, so "
                       "no owner of this host can have made it"));
    }
    SHALE_ASSIGN_OR_RETURN(
        lease_, shale::AcquireLease(environment_.files, options_.directory,
                                    options_.owner, used.epoch));
  }
  store_file_names_ = std::make_unique<StoreFileNames>(token().epoch);
  return absl::OkStatus();
}

absl::Status HostCore::CheckPresence(
    absl::Span<const FileListing::Entry> files) const {
  const absl::StatusOr<Catalog> catalog =
      Catalog::Open(environment_.files, options_.directory);
  if (!absl::IsNotFound(catalog.status())) return absl::OkStatus();
  // The catalog comes first and never goes: where it is gone, so is the
  // knowledge which of the other files count.
  if (!files.empty()) {
    return absl::DataLossError(
        absl::StrCat(catalog.status().message(), ", and ", files.size(),
                     " other files are there, such as ", files.front().name));
  }
  if (options_.create_if_missing && !options_.read_only) {
    return absl::OkStatus();
  }
  return absl::NotFoundError(absl::StrCat(
      options_.directory, ": no catalog, so there is no host here"));
}

OwnerToken HostCore::token() const { return lease_->token(); }

absl::Status HostCore::OpenCatalog() {
  absl::StatusOr<Catalog> catalog =
      Catalog::Open(environment_.files, options_.directory);
  if (absl::IsNotFound(catalog.status())) {
    SHALE_ASSIGN_OR_RETURN(
        const std::vector<FileListing::Entry> files,
        ListFiles(environment_.files, absl::StrCat(options_.directory, "/")));
    SHALE_RETURN_IF_ERROR(CheckPresence(files));
    catalog = Catalog::Create(environment_.files, token(), options_.directory);
  }
  SHALE_RETURN_IF_ERROR(catalog.status());
  absl::MutexLock lock(&mu_);
  catalog_ = *std::move(catalog);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Manifest>> HostCore::ReadManifests() {
  std::vector<Manifest> manifests;
  absl::MutexLock lock(&mu_);
  for (const Catalog::Entry& entry : catalog_.entries()) {
    const std::string name =
        absl::StrCat(RegionDirectory(entry.incarnation), "manifest");
    absl::StatusOr<MetaObject> object = ReadMeta(environment_.files, name);
    if (absl::IsNotFound(object.status())) {
      return absl::DataLossError(absl::StrCat(
          object.status().message(),
          "; by the catalog it is the manifest of region ", entry.name));
    }
    SHALE_RETURN_IF_ERROR(object.status());
    SHALE_ASSIGN_OR_RETURN(Manifest manifest, DecodeManifest(*object));
    if (manifest.incarnation != entry.incarnation) {
      return absl::DataLossError(absl::StrCat(
          object->file, ": incarnation ", manifest.incarnation.ToString(),
          ", the catalog wants ", entry.incarnation.ToString()));
    }
    replay_.AddRegion(manifest);
    manifests.push_back(std::move(manifest));
  }
  return manifests;
}

absl::Status HostCore::CheckFiles(absl::Span<const Manifest> manifests) {
  absl::MutexLock lock(&mu_);
  SHALE_ASSIGN_OR_RETURN(const LogScan log,
                         LogScan::Open(environment_.files, LogDirectory()));
  SHALE_RETURN_IF_ERROR(replay_.Start(log.extent()));
  for (const Manifest& manifest : manifests) {
    const RegionFiles where{environment_.files, token(),
                            RegionDirectory(manifest.incarnation), *cache_};
    SHALE_RETURN_IF_ERROR(OpenStoreFiles(where, manifest).status());
  }
  return absl::OkStatus();
}

absl::Status HostCore::Recover() {
  absl::MutexLock lock(&mu_);
  if (options_.read_only) {
    return ReadWal(environment_.files, LogDirectory(), replay_, &recovery_);
  }
  const WalEnvironment environment{environment_.files, environment_.clock,
                                   environment_.executor, environment_.metrics,
                                   environment_.log};
  reserve_ = std::make_unique<SpaceReserve>(
      environment_.files, token(), options_.directory, options_.reserve_bytes,
      environment_.log);
  reserve_->Reclaim();
  SHALE_ASSIGN_OR_RETURN(wal_, options_.components.open_wal(
                                   options_.wal, environment, LogDirectory(),
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
  manifest.first_needed = wal_->appended();
  // The manifest first: a region is there once the catalog names it.
  SHALE_RETURN_IF_ERROR(ManifestStore::Create(
      environment_.files, token(),
      absl::StrCat(RegionDirectory(manifest.incarnation), "manifest"),
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
  const RegionContext context{environment_,
                              options_.components,
                              *cache_,
                              token(),
                              RegionDirectory(entry->incarnation),
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

std::string HostCore::LogDirectory() const {
  return absl::StrCat(options_.directory, "/wal");
}

std::string HostCore::RegionDirectory(const Uuid& incarnation) const {
  return absl::StrCat(options_.directory, "/regions/", incarnation.ToString(),
                      "/");
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
  return absl::OkStatus();
}

}  // namespace shale
