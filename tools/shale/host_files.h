#ifndef SHALE_TOOLS_SHALE_HOST_FILES_H_
#define SHALE_TOOLS_SHALE_HOST_FILES_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/thread_pool_executor.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/lease.h"
#include "shale/filesystem/owner_token.h"
#include "shale/filesystem/posix_file_system.h"
#include "shale/region/catalog.h"
#include "shale/region/manifest.h"
#include "shale/tools/console/console.h"

namespace shale {

// Under which a LocalHost keeps what it keeps (host_layout.h), as HostOptions
// has it by default.
inline constexpr absl::string_view kHostDirectory = "host";
// The files of metadata objects (docs/formats/metadata_object.md).
inline constexpr absl::string_view kOwnerFile = "host/.meta/.owner";
inline constexpr absl::string_view kCatalogFile = "host/.meta/catalog";
inline constexpr absl::string_view kClosedFile = "host/.meta/closed";

// The files of a host, open to be looked at one by one: read-only, without
// recovery and without opening any region, so that it works on damaged ones.
class HostFiles {
 public:
  // NOT_FOUND if there is no such directory; FAILED_PRECONDITION naming its
  // owner if it is in use. Keeps owners out until this goes.
  static absl::StatusOr<std::unique_ptr<HostFiles>> Open(
      absl::string_view directory, const Console& console);

  FileSystem& files() { return *files_; }

  // Whose epoch is on record; as PosixFileSystem::LastOwner.
  absl::StatusOr<OwnerToken> LastOwner();

  // NOT_FOUND if there is no host; DATA_LOSS if it is missing from one.
  absl::StatusOr<Catalog> ReadCatalog();
  // As shale::ReadManifest.
  absl::StatusOr<Manifest> ReadManifest(const Catalog::Entry& entry);

 private:
  explicit HostFiles(std::string directory, Clock& clock);

  const std::string directory_;
  ThreadPoolExecutor executor_;
  std::unique_ptr<PosixFileSystem> files_;
  std::unique_ptr<Lease> lease_;
};

// The file of a region's manifest.
std::string ManifestFileName(const Uuid& incarnation);

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_HOST_FILES_H_
