#ifndef SHALE_TOOLS_SHALE_VERIFIER_H_
#define SHALE_TOOLS_SHALE_VERIFIER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "shale/cache/block_cache.h"
#include "shale/filesystem/file_system.h"
#include "shale/region/catalog.h"
#include "shale/region/manifest.h"
#include "shale/region/region_replay.h"
#include "shale/tools/shale/host_files.h"

namespace shale {

struct VerifyProblem {
  std::string file;
  std::string problem;  // With the offset, where there is one.
};

struct VerifyResult {
  uint64_t regions = 0;
  uint64_t store_files = 0;
  uint64_t store_file_bytes = 0;
  uint64_t cells = 0;  // In sound store files.
  uint64_t log_segments = 0;
  uint64_t log_bytes = 0;
  uint64_t log_records = 0;
  // Store files that no manifest names: left by a crash, harmless.
  uint64_t unused_files = 0;
  std::vector<VerifyProblem> problems;
};

// Reads and checks every byte of a host: the records of its last owner and of
// its last close, the catalog, the manifests, every store file they name, the
// log, and that it goes as far as these say. One damaged file doesn't keep the
// others from being checked. Not thread-safe; for one use.
class Verifier {
 public:
  // Bytes checked and files done so far.
  using OnProgress = absl::FunctionRef<void(uint64_t, uint64_t)>;

  // `host` and what `on_progress` refers to outlive the verifier.
  Verifier(HostFiles& host, OnProgress on_progress);

  // Finds out what there is to check. An error means that there is no host or
  // that the directory can't be read; damage is in the result.
  absl::Status Prepare();
  // What Check() will read.
  uint64_t total_bytes() const { return total_bytes_; }
  void Check();

  const VerifyResult& result() const { return result_; }

 private:
  struct StoreFile {
    std::string name;
    uint64_t bytes = 0;
  };

  void Sort(const std::vector<FileListing::Entry>& files);
  // Whether an owner who opens to write finds its epoch on record, above all
  // that are in names of files.
  void CheckOwner(const std::vector<FileListing::Entry>& files);
  void PrepareClosed();
  void PrepareRegion(const Catalog::Entry& entry);
  void CheckStoreFile(const StoreFile& file);
  void CheckLog();
  void Add(absl::string_view file, const absl::Status& status);

  HostFiles& host_;
  const OnProgress on_progress_;
  std::unique_ptr<BlockCache> cache_;
  HostReplay expected_;  // How far the log has to go.
  std::vector<StoreFile> listed_;
  std::vector<StoreFile> to_check_;
  uint64_t total_bytes_ = 0;
  uint64_t checked_bytes_ = 0;
  uint64_t checked_files_ = 0;
  VerifyResult result_;
};

}  // namespace shale

#endif  // SHALE_TOOLS_SHALE_VERIFIER_H_
