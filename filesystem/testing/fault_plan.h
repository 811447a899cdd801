#ifndef SHALE_FILESYSTEM_TESTING_FAULT_PLAN_H_
#define SHALE_FILESYSTEM_TESTING_FAULT_PLAN_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/random.h"
#include "shale/filesystem/append_file.h"
#include "shale/filesystem/outcome.h"

namespace shale {

// The calls that can be made to fail. ReadMany counts as one kRead; the forms
// that wait (AppendNow) count as the others do.
enum class FileOp {
  kCreate,
  kOpen,
  kRemove,
  kClone,
  kList,
  kReadMeta,
  kCommitMeta,
  kAcquire,
  kSeal,
  kAppend,
  kSync,
  kFinish,
  kRead,
};
inline constexpr size_t kFileOps = 13;

// "commit" for kCommitMeta.
absl::string_view FileOpName(FileOp op);

// What becomes of a call that a rule picks.
struct Fault {
  enum class Effect {
    kNotApplied,    // It fails, and has done nothing.
    kApplied,       // It fails, and yet has been done.
    kAppliedLater,  // It fails, and is done at Release(), unless it can't be.
    kShort,         // An append fails after a part of its bytes.
    kTorn,          // An append fails; some of its 512-byte sectors are zeros.
    kHeld,          // It neither happens nor returns until Release().
  };
  Effect effect = Effect::kNotApplied;
  FileOutcome outcome = FileOutcome::kIoError;
  // If not 0, the failure is that of this errno.
  int error_number = 0;
};

// Which calls fail, and how: those that fit both `op` and `name`, the nth of
// them and as many after it as `times` says, counted from when the rule was
// given. The first rule given that picks a call decides.
struct FaultRule {
  static constexpr uint64_t kAlways = std::numeric_limits<uint64_t>::max();

  std::optional<FileOp> op = std::nullopt;
  // The whole name of the file, object or directory; '*' stands for any bytes.
  std::string name = "*";
  uint64_t nth = 1;
  uint64_t times = 1;
  Fault fault = {};

  // "sync of dir/*, calls 3 to 5: i/o error, not applied".
  std::string ToString() const;
};

enum class FaultRuleId : uint64_t {};

// The rules of a FaultyFileSystem, what they have held up, and a log of all
// calls. Thread-safe.
class FaultPlan {
 public:
  // `seed` is for where appends are cut and torn.
  explicit FaultPlan(uint64_t seed) : random_(seed) {}

  FaultRuleId Inject(FaultRule rule) ABSL_LOCKS_EXCLUDED(mu_);
  // While it is off, a rule picks no call and counts none.
  void Switch(FaultRuleId rule, bool on) ABSL_LOCKS_EXCLUDED(mu_);
  void Withdraw(FaultRuleId rule) ABSL_LOCKS_EXCLUDED(mu_);
  void WithdrawAll() ABSL_LOCKS_EXCLUDED(mu_);
  // How many calls `rule` has picked so far; 0 once it is withdrawn.
  uint64_t picked(FaultRuleId rule) const ABSL_LOCKS_EXCLUDED(mu_);

  // Lets go on what is held, and does what was to be done later.
  void Release() ABSL_LOCKS_EXCLUDED(mu_);
  // Blocks until that many calls are held or to be done later.
  void AwaitHeld(size_t count) ABSL_LOCKS_EXCLUDED(mu_);

  // How many calls there were, of all kinds or of one.
  uint64_t calls() const ABSL_LOCKS_EXCLUDED(mu_);
  uint64_t calls(FileOp op) const ABSL_LOCKS_EXCLUDED(mu_);
  // How many of the syncs were to include all metadata.
  uint64_t full_syncs() const ABSL_LOCKS_EXCLUDED(mu_);

  // The rules, and the last calls (at most 10,000) with what became of them,
  // one a line: for the message of a test that failed.
  std::string ToString() const ABSL_LOCKS_EXCLUDED(mu_);

  // The rest is for FaultyFileSystem.

  struct Decision {
    // Nothing if the call may go on.
    std::optional<Fault> fault;
    // What the call fails with; OK for kHeld.
    absl::Status error;
    // For kShort and kTorn.
    uint64_t seed = 0;
    // For Hold: how many calls of Release() there had been.
    uint64_t releases = 0;
  };
  // Counts and logs a call, with `bytes` if it has some and the `mode` of a
  // sync, and judges it.
  Decision Decide(FileOp op, absl::string_view name, size_t bytes = 0,
                  SyncMode mode = SyncMode::kData) ABSL_LOCKS_EXCLUDED(mu_);

  // Something to do at the next Release() after `decision`, so at once if there
  // was one: a call that waits, of a file or file system `owner`, or one that
  // was reported as failed already and has no owner.
  void Hold(const Decision& decision, const void* owner,
            absl::AnyInvocable<void()> action) ABSL_LOCKS_EXCLUDED(mu_);
  // Lets go on what that owner has waiting.
  void ReleaseOwner(const void* owner) ABSL_LOCKS_EXCLUDED(mu_);
  // At a crash: does or drops, as `random` draws, what was to be done later.
  void SettleLater(Random& random) ABSL_LOCKS_EXCLUDED(mu_);

 private:
  struct ActiveRule {
    FaultRule rule;
    bool on = true;
    uint64_t seen = 0;
    uint64_t picked = 0;
  };
  struct Held {
    const void* owner;
    absl::AnyInvocable<void()> action;
  };

  template <typename Pick>
  void RunHeld(Pick pick) ABSL_LOCKS_EXCLUDED(mu_);

  mutable absl::Mutex mu_;  // A leaf; not held while an action runs.
  Random random_ ABSL_GUARDED_BY(mu_);
  uint64_t last_rule_ ABSL_GUARDED_BY(mu_) = 0;
  std::map<FaultRuleId, ActiveRule> rules_ ABSL_GUARDED_BY(mu_);
  std::vector<Held> held_ ABSL_GUARDED_BY(mu_);
  uint64_t releases_ ABSL_GUARDED_BY(mu_) = 0;
  uint64_t calls_ ABSL_GUARDED_BY(mu_) = 0;
  std::array<uint64_t, kFileOps> calls_of_ ABSL_GUARDED_BY(mu_) = {};
  uint64_t full_syncs_ ABSL_GUARDED_BY(mu_) = 0;
  std::deque<std::string> log_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_FILESYSTEM_TESTING_FAULT_PLAN_H_
