#include "shale/tools/console/flag_help.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "gflags/gflags.h"
#include "shale/base/check.h"

namespace shale {
namespace {

// Lines of at most 80 columns, each after the first under `indent` spaces.
std::string Wrapped(absl::string_view text, size_t indent) {
  std::string wrapped;
  size_t column = indent;
  for (const absl::string_view word :
       absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    if (column > indent && column + 1 + word.size() > 80) {
      absl::StrAppend(&wrapped, "\n", std::string(indent, ' '));
      column = indent;
    } else if (column > indent) {
      wrapped += ' ';
      ++column;
    }
    absl::StrAppend(&wrapped, word);
    column += word.size();
  }
  return wrapped;
}

}  // namespace

std::string FlagHelp(absl::Span<const absl::string_view> names) {
  std::string help;
  for (const absl::string_view name : names) {
    gflags::CommandLineFlagInfo info;
    SHALE_CHECK(
        gflags::GetCommandLineFlagInfo(std::string(name).c_str(), &info))
        << "no flag " << name;
    std::string text = info.description;
    if (!info.default_value.empty() && info.type != "bool") {
      absl::StrAppend(&text, " (default ", info.default_value, ")");
    }
    absl::StrAppendFormat(&help, "  %-17s %s\n", absl::StrCat("--", name),
                          Wrapped(text, 20));
  }
  return help;
}

}  // namespace shale
