#ifndef SHALE_REGION_CATALOG_H_
#define SHALE_REGION_CATALOG_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/uuid.h"
#include "shale/filesystem/file_system.h"

namespace shale {

// The regions of a host: the truth about which there are, in one metadata
// object (docs/formats/catalog.md). Not thread-safe.
class Catalog {
 public:
  struct Entry {
    std::string name;
    Uuid incarnation;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  // Reads the catalog of the host in `directory`. NOT_FOUND if there is none,
  // DATA_LOSS, or FAILED_PRECONDITION for a newer version.
  static absl::StatusOr<Catalog> Open(FileSystem& files,
                                      absl::string_view directory);
  // Makes an empty one. ALREADY_EXISTS.
  static absl::StatusOr<Catalog> Create(FileSystem& files,
                                        const OwnerToken& token,
                                        absl::string_view directory);

  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* Find(absl::string_view name) const;

  // Adds a region, durably. ALREADY_EXISTS; ABORTED if somebody else changed
  // the catalog; UNKNOWN if it may be added or not: open the host again to see.
  absl::Status Add(FileSystem& files, const OwnerToken& token,
                   const Entry& entry);

  static std::string Encode(const std::vector<Entry>& entries);
  // Errors as of Open, naming the object's file.
  static absl::StatusOr<std::vector<Entry>> Decode(const MetaObject& object);

 private:
  std::string name_;
  std::vector<Entry> entries_;
  MetaVersion version_;
};

}  // namespace shale

#endif  // SHALE_REGION_CATALOG_H_
