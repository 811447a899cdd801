#include "shale/wal/testing/hooked_file_system.h"

#include "absl/status/statusor.h"
#include "shale/base/random.h"
#include "shale/base/status_macros.h"

namespace shale {
namespace {

class HookedFile final : public AppendFile {
 public:
  HookedFile(HookedFileSystem& files, std::string name,
             std::unique_ptr<AppendFile> base)
      : files_(files), name_(std::move(name)), base_(std::move(base)) {}

  void Append(absl::string_view bytes, AppendCallback done) override {
    base_->Append(bytes, std::move(done));
  }
  void Sync(SyncMode mode, StatusCallback done) override {
    base_->Sync(mode, std::move(done));
  }
  absl::StatusOr<uint64_t> AppendNow(absl::string_view bytes) override {
    SHALE_RETURN_IF_ERROR(Ask(FileOp::kAppend));
    return base_->AppendNow(bytes);
  }
  absl::Status SyncNow(SyncMode mode) override {
    SHALE_RETURN_IF_ERROR(Ask(FileOp::kSync));
    return base_->SyncNow(mode);
  }
  uint64_t accepted() const override { return base_->accepted(); }
  uint64_t durable() const override { return base_->durable(); }
  void Finish(StatusCallback done) override {
    if (absl::Status status = Ask(FileOp::kFinish); !status.ok()) {
      return done(std::move(status));
    }
    base_->Finish(std::move(done));
  }
  void Abandon() override { base_->Abandon(); }

 private:
  // The hook is told of every operation; the first error stays, as AppendFile
  // promises.
  absl::Status Ask(FileOp op) {
    absl::Status status = files_.Ask(op, name_);
    absl::MutexLock lock(&mu_);
    if (poison_.ok()) poison_ = std::move(status);
    return poison_;
  }

  HookedFileSystem& files_;
  const std::string name_;
  const std::unique_ptr<AppendFile> base_;
  absl::Mutex mu_;  // A leaf.
  absl::Status poison_ ABSL_GUARDED_BY(mu_);
};

}  // namespace

void HookedFileSystem::SetHook(Hook hook) {
  absl::MutexLock lock(&mu_);
  hook_ = std::make_shared<const Hook>(std::move(hook));
}

absl::Status HookedFileSystem::Ask(FileOp op, absl::string_view name) {
  std::shared_ptr<const Hook> hook;
  {
    absl::MutexLock lock(&mu_);
    hook = hook_;
  }
  return hook == nullptr || !*hook ? absl::OkStatus() : (*hook)(op, name);
}

void HookedFileSystem::Create(absl::string_view name, FileKind kind,
                              const OwnerToken& token,
                              const CreateOptions& options,
                              CreateCallback done) {
  if (absl::Status status = Ask(FileOp::kCreate, name); !status.ok()) {
    return done(std::move(status));
  }
  base_.Create(
      name, kind, token, options,
      [this, name = std::string(name), done = std::move(done)](
          absl::StatusOr<std::unique_ptr<AppendFile>> file) mutable {
        if (!file.ok()) return done(file.status());
        done(std::make_unique<HookedFile>(*this, name, *std::move(file)));
      });
}

void HookedFileSystem::ShuffleListings(uint64_t seed) {
  absl::MutexLock lock(&mu_);
  listing_seed_ = seed;
}

void HookedFileSystem::List(absl::string_view prefix, absl::string_view cursor,
                            ListCallback done) {
  uint64_t seed;
  {
    absl::MutexLock lock(&mu_);
    seed = listing_seed_;
  }
  base_.List(prefix, cursor,
             [seed, done = std::move(done)](
                 absl::StatusOr<FileListing> listing) mutable {
               Random random(seed);
               if (listing.ok() && seed != 0) {
                 auto& entries = listing->entries;
                 for (size_t i = entries.size(); i > 1; --i) {
                   std::swap(entries[i - 1], entries[random.Uniform(i)]);
                 }
               }
               done(std::move(listing));
             });
}

void HookedFileSystem::Remove(absl::string_view name, const OwnerToken& token,
                              StatusCallback done) {
  if (absl::Status status = Ask(FileOp::kRemove, name); !status.ok()) {
    return done(std::move(status));
  }
  base_.Remove(name, token, std::move(done));
}

}  // namespace shale
