#ifndef SHALE_TOOLS_INCREMENT_PERFORMANCE_ROW_CHOICE_H_
#define SHALE_TOOLS_INCREMENT_PERFORMANCE_ROW_CHOICE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "shale/base/random.h"

namespace shale {

// Which rows threads increment.
struct RowChoice {
  enum class Kind {
    kLockstep,  // All threads walk rows 0, 1, 2, ... at the same time.
    kRandom,    // Each thread its own, out of `rows`.
    kHot,       // All threads the same few rows, in turn.
  };

  // "lockstep" (over `lockstep_rows`), "random:ROWS" or "hot:ROWS".
  // INVALID_ARGUMENT.
  static absl::StatusOr<RowChoice> Parse(absl::string_view text,
                                         int64_t lockstep_rows);

  // As Parse reads it.
  std::string Name() const;

  Kind kind = Kind::kLockstep;
  int64_t rows = 1;  // Range [1, 2^31).
};

// The rows of one thread, one after the other; the same for the same seed.
class RowSequence {
 public:
  RowSequence(const RowChoice& choice, uint64_t seed)
      : choice_(choice), random_(seed) {}

  int64_t Next() {
    if (choice_.kind == RowChoice::Kind::kRandom) {
      return static_cast<int64_t>(random_.Uniform(choice_.rows));
    }
    return next_++ % choice_.rows;
  }

 private:
  const RowChoice choice_;
  Random random_;
  int64_t next_ = 0;
};

}  // namespace shale

#endif  // SHALE_TOOLS_INCREMENT_PERFORMANCE_ROW_CHOICE_H_
