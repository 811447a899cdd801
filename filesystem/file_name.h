#ifndef SHALE_FILESYSTEM_FILE_NAME_H_
#define SHALE_FILESYSTEM_FILE_NAME_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// INVALID_ARGUMENT, saying what is wrong, unless `name` keeps the rules of
// file_system.h for files and metadata objects. `op` is for the message.
absl::Status CheckFileName(absl::string_view op, absl::string_view name);

// The same for a directory, which may also be empty.
absl::Status CheckDirectoryName(absl::string_view op,
                                absl::string_view directory);

// Whether `name` lies in `directory` or below it.
bool IsWithinDirectory(absl::string_view name, absl::string_view directory);

// "a/b" of "a/b/c", and empty of "c".
absl::string_view DirectoryOf(absl::string_view name);

// "c" of "a/b/c".
absl::string_view LastPartOf(absl::string_view name);

}  // namespace shale

#endif  // SHALE_FILESYSTEM_FILE_NAME_H_
