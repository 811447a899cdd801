#include "shale/base/status_util.h"

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"

namespace shale {

absl::Status Annotate(absl::Status status, absl::string_view context) {
  if (status.ok()) return status;
  const absl::string_view separator = status.message().empty() ? "" : ": ";
  absl::Status annotated(status.code(),
                         absl::StrCat(context, separator, status.message()));
  status.ForEachPayload(
      [&annotated](absl::string_view type_url, const absl::Cord& payload) {
        annotated.SetPayload(type_url, payload);
      });
  return annotated;
}

}  // namespace shale
