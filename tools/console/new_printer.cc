#include "shale/tools/console/new_printer.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gflags/gflags.h"
#include "shale/tools/console/json_printer.h"
#include "shale/tools/console/table_printer.h"

DEFINE_string(format, "table",
              "table for eyes, json for programs: one object a line");

namespace shale {

absl::StatusOr<std::unique_ptr<Printer>> NewPrinter(std::ostream& out) {
  if (FLAGS_format == "json") return NewJsonPrinter(out);
  if (FLAGS_format == "table") return std::make_unique<TablePrinter>(out);
  return absl::InvalidArgumentError(absl::StrCat(
      "--format: \"", FLAGS_format, "\" is neither table nor json"));
}

}  // namespace shale
