// A file system that asks the test before it does anything.
#ifndef SHALE_WAL_TESTING_HOOKED_FILE_SYSTEM_H_
#define SHALE_WAL_TESTING_HOOKED_FILE_SYSTEM_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "shale/filesystem/append_file.h"
#include "shale/filesystem/file_system.h"
#include "shale/filesystem/testing/fault_plan.h"

namespace shale {

// Forwards to another file system. Before each creation, append, sync, finish
// and removal it runs the hook in the thread that does the work: an error fails
// the operation, which then isn't forwarded, and the hook may block to hold it
// up. For what FaultyFileSystem's rules can't do: decide by what has happened,
// or let the machine die within a call. Thread-safe, if the hook is.
class HookedFileSystem final : public FileSystem {
 public:
  using Hook = std::function<absl::Status(FileOp op, absl::string_view name)>;

  // `base` outlives it.
  explicit HookedFileSystem(FileSystem& base) : base_(base) {}

  // From now on; no hook at first.
  void SetHook(Hook hook) ABSL_LOCKS_EXCLUDED(mu_);
  // Listings come in another order for each seed; 0: as they are.
  void ShuffleListings(uint64_t seed) ABSL_LOCKS_EXCLUDED(mu_);
  // The hook's verdict.
  absl::Status Ask(FileOp op, absl::string_view name) ABSL_LOCKS_EXCLUDED(mu_);

  FileSystemCapabilities capabilities() const override {
    return base_.capabilities();
  }
  void Create(absl::string_view name, FileKind kind, const OwnerToken& token,
              const CreateOptions& options, CreateCallback done) override;
  void Open(absl::string_view name, std::optional<uint64_t> known_size,
            OpenCallback done) override {
    base_.Open(name, known_size, std::move(done));
  }
  void Remove(absl::string_view name, const OwnerToken& token,
              StatusCallback done) override;
  void Clone(absl::string_view from, absl::string_view to,
             const OwnerToken& token, StatusCallback done) override {
    base_.Clone(from, to, token, std::move(done));
  }
  void List(absl::string_view prefix, absl::string_view cursor,
            ListCallback done) override;
  void ReadMeta(absl::string_view name, MetaCallback done) override {
    base_.ReadMeta(name, std::move(done));
  }
  void CommitMeta(absl::string_view name, std::string bytes,
                  MetaVersion expected, const OwnerToken& token,
                  CommitCallback done) override {
    base_.CommitMeta(name, std::move(bytes), expected, token, std::move(done));
  }
  void Acquire(absl::string_view directory, absl::string_view owner,
               uint64_t above, AcquireCallback done) override {
    base_.Acquire(directory, owner, above, std::move(done));
  }
  void Share(absl::string_view directory, AcquireCallback done) override {
    base_.Share(directory, std::move(done));
  }
  void Seal(absl::string_view name, const OwnerToken& successor,
            SealCallback done) override {
    base_.Seal(name, successor, std::move(done));
  }

 private:
  FileSystem& base_;
  absl::Mutex mu_;  // A leaf; not held while the hook runs.
  std::shared_ptr<const Hook> hook_ ABSL_GUARDED_BY(mu_);
  uint64_t listing_seed_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace shale

#endif  // SHALE_WAL_TESTING_HOOKED_FILE_SYSTEM_H_
