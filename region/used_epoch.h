#ifndef SHALE_REGION_USED_EPOCH_H_
#define SHALE_REGION_USED_EPOCH_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/filesystem/file_system.h"

namespace shale {

// An epoch that is in the name of a file.
struct UsedEpoch {
  uint64_t epoch = 0;
  std::string file;  // Empty: no name has one.
};

// The largest epoch in the names of `files`, which are those of the host in
// `directory`: of log segments and store files, in use or not. The next owner's
// has to be larger (FileSystem::Acquire), so that no name comes twice and its
// log is the newest generation, whatever became of the record of the last
// owner.
UsedEpoch LargestUsedEpoch(absl::string_view directory,
                           absl::Span<const FileListing::Entry> files);

}  // namespace shale

#endif  // SHALE_REGION_USED_EPOCH_H_
