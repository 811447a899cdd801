#ifndef SHALE_TOOLS_CONSOLE_FLAG_HELP_H_
#define SHALE_TOOLS_CONSOLE_FLAG_HELP_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// What these gflags do and what they are by default, in lines of at most 80
// columns. REQUIRES: they are defined.
std::string FlagHelp(absl::Span<const absl::string_view> names);

}  // namespace shale

#endif  // SHALE_TOOLS_CONSOLE_FLAG_HELP_H_
