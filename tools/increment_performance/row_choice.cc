#include "shale/tools/increment_performance/row_choice.h"

#include <limits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace shale {

absl::StatusOr<RowChoice> RowChoice::Parse(absl::string_view text,
                                           int64_t lockstep_rows) {
  if (text == "lockstep") return RowChoice{Kind::kLockstep, lockstep_rows};
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits(':', 1));
  RowChoice choice;
  choice.kind = parts.first == "hot" ? Kind::kHot : Kind::kRandom;
  if ((parts.first != "hot" && parts.first != "random") ||
      !absl::SimpleAtoi(parts.second, &choice.rows) || choice.rows < 1 ||
      choice.rows > std::numeric_limits<int32_t>::max()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "\"", text, "\" is neither lockstep, random:ROWS nor hot:ROWS"));
  }
  return choice;
}

std::string RowChoice::Name() const {
  switch (kind) {
    case Kind::kLockstep:
      return "lockstep";
    case Kind::kRandom:
      return absl::StrCat("random:", rows);
    case Kind::kHot:
      return absl::StrCat("hot:", rows);
  }
  return "";
}

}  // namespace shale
