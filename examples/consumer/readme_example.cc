#include <iostream>

#include "shale/base/status_macros.h"
#include "shale/region/local_host.h"

absl::Status Run(absl::string_view directory) {
  shale::RegionSchema schema;
  schema.name = "users";
  schema.families.emplace_back().name = "info";

  SHALE_ASSIGN_OR_RETURN(auto local, shale::LocalHost::Open(directory, {}));
  SHALE_RETURN_IF_ERROR(local->host().CreateRegion(schema));
  SHALE_ASSIGN_OR_RETURN(auto users, local->host().OpenRegion("users"));

  // Durable when it returns.
  SHALE_RETURN_IF_ERROR(
      users->Apply(shale::RowMutation("ada").Put("info", "born", "1815")));
  SHALE_ASSIGN_OR_RETURN(shale::RowResult row, users->Read({"ada", {}}));
  std::cout << row.Value("info", "born").value_or("unknown") << "\n";
  return users->Close();
}

int main(int argc, char** argv) {
  const absl::Status status = Run(argc > 1 ? argv[1] : "users");
  if (!status.ok()) std::cerr << status << "\n";
  return status.ok() ? 0 : 1;
}
