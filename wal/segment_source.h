#ifndef SHALE_WAL_SEGMENT_SOURCE_H_
#define SHALE_WAL_SEGMENT_SOURCE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/completion.h"
#include "shale/filesystem/append_file.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/owner_token.h"

namespace shale {

// Makes the files of new segments, one ahead, so that a roll does not wait for
// it. Counters only rise: one is used up by a failed try too, as a name must
// never be used twice. For one thread.
class SegmentSource {
 public:
  // An empty file.
  struct Fresh {
    uint64_t counter = 0;
    std::string name;
    std::unique_ptr<AppendFile> file;
  };

  // `files` outlives it. `expected_bytes` is how long a segment will be.
  SegmentSource(FileSystem& files, absl::string_view directory,
                const OwnerToken& token, uint64_t expected_bytes);
  // Gives up what was made ahead.
  ~SegmentSource();

  // Begins to make the next file, unless that is so already.
  void Prepare();
  // The next file; waits for it. If making it ahead has failed, it is tried
  // once more.
  absl::StatusOr<Fresh> Take();

 private:
  using Waiting = Waiter<absl::StatusOr<std::unique_ptr<AppendFile>>>;

  FileSystem& files_;
  const std::string directory_;
  const OwnerToken token_;
  const uint64_t expected_bytes_;
  uint64_t counter_ = 0;  // The last that was used.
  std::optional<Waiting> ahead_;
};

}  // namespace shale

#endif  // SHALE_WAL_SEGMENT_SOURCE_H_
