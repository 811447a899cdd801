// Keeps a guest book in a region: writes, reads back, closes and opens again.
#include <iostream>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/status_macros.h"
#include "shale/region/column_family.h"
#include "shale/region/local_host.h"
#include "shale/region/region.h"
#include "shale/region/region_host.h"
#include "shale/region/region_scanner.h"
#include "shale/region/row_mutation.h"
#include "shale/region/row_result.h"

namespace {

absl::Status Write(absl::string_view directory) {
  SHALE_ASSIGN_OR_RETURN(auto local, shale::LocalHost::Open(directory, {}));
  shale::RegionSchema schema;
  schema.name = "guests";
  schema.families.resize(1);
  schema.families[0].name = "visit";
  SHALE_RETURN_IF_ERROR(local->host().CreateRegion(schema));
  SHALE_ASSIGN_OR_RETURN(auto region, local->host().OpenRegion("guests"));
  SHALE_RETURN_IF_ERROR(
      region->Apply(shale::RowMutation("ada").Put("visit", "from", "London")));
  SHALE_RETURN_IF_ERROR(region->Apply(
      shale::RowMutation("grace").Put("visit", "from", "New York")));
  return region->Close();
}

absl::Status Read(absl::string_view directory) {
  SHALE_ASSIGN_OR_RETURN(auto local, shale::LocalHost::Open(directory, {}));
  SHALE_ASSIGN_OR_RETURN(auto region, local->host().OpenRegion("guests"));
  std::cout << "completion: " << region->Stats().variants.completion << "\n";
  SHALE_ASSIGN_OR_RETURN(auto rows, region->NewScanner({}));
  while (true) {
    SHALE_ASSIGN_OR_RETURN(std::optional<shale::RowResult> row, rows->Next());
    if (!row.has_value()) return absl::OkStatus();
    std::cout << row->row << " from "
              << row->Value("visit", "from").value_or("nowhere") << "\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: region_example DIRECTORY\n";
    return 2;
  }
  absl::Status status = Write(argv[1]);
  if (status.ok()) status = Read(argv[1]);
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
