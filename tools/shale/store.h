#ifndef SHALE_TOOLS_SHALE_STORE_H_
#define SHALE_TOOLS_SHALE_STORE_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/base/metrics.h"
#include "shale/region/column_family.h"
#include "shale/region/local_host.h"
#include "shale/region/region.h"
#include "shale/tools/console/console.h"

namespace shale {

// What --dir and --region name.
struct StoreName {
  std::string directory;
  std::string region;  // Empty: the only one.
};

// INVALID_ARGUMENT without --dir. Nothing is opened.
absl::StatusOr<StoreName> StoreNameFromFlags();

// What the region meant is, found out without opening or writing anything.
// NOT_FOUND, saying what there is, if there is no such directory, host or
// region; INVALID_ARGUMENT if none is named and there are several.
absl::StatusOr<RegionSchema> FindRegion(const StoreName& name,
                                        const Console& console);

// As FindRegion(), and reads and checks every byte of the region's store files:
// for a command that will read them all, before it opens the host to write.
absl::Status CheckRegionFiles(const StoreName& name, const Console& console);

// NOT_FOUND, saying what there is, if `schema` lacks one of `families`.
absl::Status CheckFamilies(const RegionSchema& schema,
                           absl::Span<const std::string> families);

enum class Access {
  kRead,    // Writes nothing.
  kWrite,   // NOT_FOUND if there is no host.
  kCreate,  // Makes the directory and the host if they are not there.
};

// Opens the host in `directory`. `command` is who we are to others that find
// the directory taken.
absl::StatusOr<std::unique_ptr<LocalHost>> OpenHost(absl::string_view directory,
                                                    Access access,
                                                    absl::string_view command,
                                                    const Console& console);

// One open region and its host. Not thread-safe.
class Store {
 public:
  // As FindRegion() and CheckFamilies(), then opens: whoever names something
  // that isn't there has written nothing.
  static absl::StatusOr<std::unique_ptr<Store>> Open(
      const StoreName& name, Access access, absl::string_view command,
      const Console& console, absl::Span<const std::string> families = {});

  Store(std::unique_ptr<LocalHost> host, std::unique_ptr<Region> region)
      : host_(std::move(host)), region_(std::move(region)) {}

  Region& region() { return *region_; }
  const MetricsRegistry& metrics() const { return host_->metrics(); }

  // Closes both; the first error. Call after a write: the destructor can't
  // tell.
  absl::Status Close();

 private:
  std::unique_ptr<LocalHost> host_;
  std::unique_ptr<Region> region_;  // Goes first.
};

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_STORE_H_
