#ifndef SHALE_STOREFILE_BLOCK_CURSOR_H_
#define SHALE_STOREFILE_BLOCK_CURSOR_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// Reads what BlockBuilder built. Trusts nothing in the block: whatever its
// bytes are, it stays inside them and says DATA_LOSS, naming the place in the
// block. After an error it is at no entry. Not thread-safe.
class BlockCursor {
 public:
  BlockCursor() = default;

  // Takes a block, whose bytes outlive the cursor's use of it, and is at no
  // entry. All methods below REQUIRE that this has succeeded.
  absl::Status Reset(absl::string_view block);

  // At least 1.
  size_t restarts() const { return restarts_; }
  // The key at a restart point; points into the block.
  // REQUIRES: restart < restarts().
  absl::StatusOr<absl::string_view> RestartKey(size_t restart) const;
  // The last restart point whose key is <= `key`, or 0 if there is none.
  absl::StatusOr<size_t> FindRestart(absl::string_view key) const {
    return LastRestart(key, 1);
  }

  // Moves to a restart point. REQUIRES: restart < restarts().
  absl::Status SeekToRestart(size_t restart);
  // Moves to the first entry whose key is >= `key`, forward or back, or to the
  // end. REQUIRES: IsComparableCellKey(key).
  absl::Status Seek(absl::string_view key);
  // Moves to the next entry or to the end. REQUIRES: valid().
  absl::Status Next();

  // Whether it is at an entry; then these are that entry's. The key, which is
  // comparable, stays valid until the cursor moves, value and tags as long as
  // the block does.
  bool valid() const { return valid_; }
  absl::string_view key() const { return key_; }
  absl::string_view value() const { return value_; }
  absl::string_view tags() const { return tags_; }

  // Where the entry begins, and whether it is that restart point's.
  size_t entry_offset() const { return entry_; }
  bool IsRestart(size_t restart) const {
    return restart < restarts_ && RestartOffset(restart) == entry_;
  }

 private:
  struct Lengths;

  size_t RestartOffset(size_t restart) const;
  // Reads the head of the entry at `offset` and checks it against what is left.
  bool ReadLengths(size_t offset, Lengths* lengths) const;
  // Moves to the entry that begins at `offset`, whose key builds on key_.
  absl::Status MoveTo(size_t offset);
  // The last restart point for which Compare(its key, key) < limit, or 0.
  absl::StatusOr<size_t> LastRestart(absl::string_view key, int limit) const;
  absl::Status BadEntry(size_t offset, absl::string_view what) const;

  absl::string_view entries_;
  const char* restart_offsets_ = nullptr;
  size_t restarts_ = 0;
  bool valid_ = false;
  size_t entry_ = 0;  // Where the current entry begins.
  size_t next_ = 0;   // And the one after it.
  std::string key_;
  absl::string_view value_;
  absl::string_view tags_;
};

}  // namespace shale

#endif  // SHALE_STOREFILE_BLOCK_CURSOR_H_
