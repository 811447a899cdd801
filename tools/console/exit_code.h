#ifndef SHALE_TOOLS_CONSOLE_EXIT_CODE_H_
#define SHALE_TOOLS_CONSOLE_EXIT_CODE_H_

#include <ostream>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

inline constexpr int kExitDone = 0;
// The operation failed, found nothing, or found damage.
inline constexpr int kExitFailed = 1;
// Wrong use; nothing was touched.
inline constexpr int kExitUsage = 2;

// "program: message" as one line.
void PrintError(absl::string_view program, absl::string_view message,
                std::ostream& err);

// The same for the error that an operation ended with, which it calls by its
// kind where people should know that; gives kExitFailed.
int Failed(absl::string_view program, const absl::Status& status,
           std::ostream& err);

}  // namespace shale

#endif  // SHALE_TOOLS_CONSOLE_EXIT_CODE_H_
