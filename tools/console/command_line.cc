#include "shale/tools/console/command_line.h"

#include <cstddef>
#include <optional>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "gflags/gflags.h"

namespace shale {
namespace {

struct Flag {
  std::string name;
  bool is_bool = false;
  bool negated = false;
};

std::optional<Flag> FindFlag(absl::string_view given) {
  const std::string name = absl::StrReplaceAll(given, {{"-", "_"}});
  gflags::CommandLineFlagInfo info;
  if (gflags::GetCommandLineFlagInfo(name.c_str(), &info)) {
    return Flag{name, info.type == "bool", false};
  }
  absl::string_view positive = name;
  if (absl::ConsumePrefix(&positive, "no") &&
      gflags::GetCommandLineFlagInfo(std::string(positive).c_str(), &info) &&
      info.type == "bool") {
    return Flag{std::string(positive), true, true};
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<CommandLine> ParseCommandLine(
    absl::Span<const std::string> arguments) {
  CommandLine line;
  for (size_t i = 0; i < arguments.size(); ++i) {
    absl::string_view text = arguments[i];
    if (text == "--") {
      const auto rest = arguments.subspan(i + 1);
      line.words.insert(line.words.end(), rest.begin(), rest.end());
      break;
    }
    if (text.size() < 2 || text[0] != '-') {
      line.words.emplace_back(text);
      continue;
    }
    text.remove_prefix(absl::StartsWith(text, "--") ? 2 : 1);
    const size_t equals = text.find('=');
    const absl::string_view name = text.substr(0, equals);
    if (name == "help" || name == "h") {
      line.help = true;
      continue;
    }
    const std::optional<Flag> flag = FindFlag(name);
    if (!flag.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("no flag ", arguments[i],
                       "; \"--\" goes before words that begin with a dash"));
    }
    if (equals != absl::string_view::npos && !flag->negated) {
      line.flags.emplace_back(flag->name, text.substr(equals + 1));
    } else if (flag->is_bool) {
      line.flags.emplace_back(flag->name, flag->negated ? "false" : "true");
    } else if (i + 1 < arguments.size()) {
      line.flags.emplace_back(flag->name, arguments[++i]);
    } else {
      return absl::InvalidArgumentError(
          absl::StrCat("flag --", flag->name, " needs a value"));
    }
  }
  return line;
}

absl::Status SetFlags(const CommandLine& line,
                      absl::Span<const absl::string_view> allowed) {
  absl::flat_hash_set<absl::string_view> given;
  for (const auto& [name, value] : line.flags) {
    if (!given.insert(name).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("flag --", name, " is there twice"));
    }
    if (!absl::c_linear_search(allowed, name)) {
      return absl::InvalidArgumentError(
          absl::StrCat("this command has no flag --", name));
    }
    if (gflags::SetCommandLineOption(name.c_str(), value.c_str()).empty()) {
      gflags::CommandLineFlagInfo info;
      gflags::GetCommandLineFlagInfo(name.c_str(), &info);
      return absl::InvalidArgumentError(
          absl::StrCat("--", name, ": \"", value, "\" is no ", info.type));
    }
  }
  return absl::OkStatus();
}

}  // namespace shale
