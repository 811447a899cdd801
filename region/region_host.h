#ifndef SHALE_REGION_REGION_HOST_H_
#define SHALE_REGION_REGION_HOST_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/cache/block_cache.h"
#include "shale/region/column_family.h"
#include "shale/region/host_environment.h"
#include "shale/region/host_options.h"
#include "shale/region/region.h"
#include "shale/region/region_options.h"
#include "shale/wal/recovery_sink.h"

namespace shale {

class HostCore;

// A directory's regions with the one log, block cache and owner's lease they
// share. Opening recovers the log. Thread-safe; outlives its regions.
class RegionHost {
 public:
  // FAILED_PRECONDITION naming the owner if the directory is in use, by this
  // process too, or of a newer format version; DATA_LOSS naming file and offset
  // where a file lies. Nothing has been changed then: before its first write,
  // Open reads and checks
  //   - the record of the last owner, the catalog and every manifest, whole;
  //   - every byte of the log that counts;
  //   - of every store file that a manifest names its length, footer, file info
  //     and the roots of index and bloom.
  // The other blocks of a store file are checked whenever they are read: a read
  // that needs a damaged one is DATA_LOSS, and others go on. Region::Verify
  // reads them all. A host that is opened for inspection opens with damaged
  // store files; then OpenRegion tells.
  static absl::StatusOr<std::unique_ptr<RegionHost>> Open(
      const HostEnvironment& environment, const HostOptions& options);

  explicit RegionHost(std::unique_ptr<HostCore> core);
  ~RegionHost();

  // Durable on return.
  //   INVALID_ARGUMENT     says what is wrong with the schema
  //   UNIMPLEMENTED        a family's compression is not in this build
  //   ALREADY_EXISTS       there is one of that name
  //   FAILED_PRECONDITION  the host is open for inspection only
  //   ABORTED              another owner has the host
  //   UNKNOWN              it may be there or not: open the host again to see
  //   and what the file system says (outcome.h)
  absl::Status CreateRegion(const RegionSchema& schema);

  // Puts what the log holds of the region into its memstores and opens its
  // store files. Unless for inspection only it also commits the manifest once.
  //   INVALID_ARGUMENT     an option out of its range
  //   NOT_FOUND            there is none of that name
  //   FAILED_PRECONDITION  it is open already, or was closed with writes that
  //                        are in the log alone: then open the host again
  //   DATA_LOSS            names the file and offset, or the record, that lies
  //   ABORTED              another owner has the host
  //   UNKNOWN              the manifest's commit stayed undecided
  //   and what the file system says (outcome.h)
  absl::StatusOr<std::unique_ptr<Region>> OpenRegion(
      absl::string_view name, const RegionOptions& options = {});

  // In the order in which they were made.
  std::vector<std::string> RegionNames() const;

  // Valid as long as the host.
  BlockCache& cache();
  const RecoveryReport& recovery() const;

  // Closes the log. REQUIRES: every region was destroyed. Idempotent. The error
  // is what poisoned the log (Wal::Close): writes that were not confirmed may
  // be lost then.
  absl::Status Close();

 private:
  std::unique_ptr<HostCore> core_;
};

}  // namespace shale

#endif  // SHALE_REGION_REGION_HOST_H_
