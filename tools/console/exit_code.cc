#include "shale/tools/console/exit_code.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace shale {

void PrintError(absl::string_view program, absl::string_view message,
                std::ostream& err) {
  err << program << ": " << absl::StrReplaceAll(message, {{"\n", " "}}) << '\n';
}

int Failed(absl::string_view program, const absl::Status& status,
           std::ostream& err) {
  absl::string_view kind;
  if (absl::IsDataLoss(status)) kind = "data loss: ";
  if (absl::IsUnknown(status)) kind = "outcome unknown: ";
  if (absl::IsInternal(status)) kind = "internal error: ";
  PrintError(program, absl::StrCat(kind, status.message()), err);
  return kExitFailed;
}

}  // namespace shale
