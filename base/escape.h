// Bytes as text that a person can read and type.
#ifndef SHALE_BASE_ESCAPE_H_
#define SHALE_BASE_ESCAPE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// Printable ASCII (0x20 to 0x7e) stands for itself, except that a backslash
// becomes `\\`; every other byte becomes `\xNN`, in lower case.
std::string EscapeBytes(absl::string_view bytes);

// The inverse of EscapeBytes. As people type what it reads, it also takes
// upper-case hexadecimal digits, printable bytes as `\xNN`, and bytes outside
// ASCII as they are. INVALID_ARGUMENT with the column, counted in bytes from
// 1, for a backslash that begins neither `\\` nor `\xNN`.
absl::StatusOr<std::string> UnescapeBytes(absl::string_view text);

}  // namespace shale

#endif  // SHALE_BASE_ESCAPE_H_
