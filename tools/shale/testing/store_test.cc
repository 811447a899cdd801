#include "shale/tools/shale/testing/store_test.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "shale/base/testing/status_matchers.h"
#include "shale/region/durability.h"
#include "shale/region/local_host.h"
#include "shale/region/region.h"

namespace shale {

void StoreTest::MakeStore(bool flushed, const std::string& name) {
  const std::string live = work_ + "/live";
  HostOptions options;
  options.owner = "store_test";
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<LocalHost> host,
                       LocalHost::Open(live, std::move(options)));
  RegionSchema schema;
  schema.name = "r";
  schema.families.emplace_back().name = "f";
  ASSERT_OK(host->host().CreateRegion(schema));
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<Region> region,
                       host->host().OpenRegion("r"));
  for (int i = 0; i < 100; ++i) {
    ASSERT_OK(region->Apply(RowMutation(absl::StrCat("row", 100 + i))
                                .Put("f", "q", absl::StrCat("value", i), 5)
                                .WithDurability(Durability::kAsyncWal)));
  }
  ASSERT_OK(region->Flush());
  for (int i = 0; i < 10; ++i) {
    ASSERT_OK(region->Apply(
        RowMutation(absl::StrCat("new", i)).Put("f", "q", "value", 6)));
  }
  if (flushed) {
    ASSERT_OK(region->Close());
    region.reset();
    ASSERT_OK(host->host().Close());
  }
  std::filesystem::copy(live, work_ + "/" + name,
                        std::filesystem::copy_options::recursive);
}

std::vector<std::string> StoreTest::FilesEndingIn(const std::string& end) {
  std::vector<std::string> found;
  for (const auto& [path, bytes] : Snapshot(work_ + "/store")) {
    if (bytes != "(dir)" && absl::EndsWith(path, end)) found.push_back(path);
  }
  return found;
}

std::string StoreTest::FileEndingIn(const std::string& end) {
  const std::vector<std::string> found = FilesEndingIn(end);
  EXPECT_FALSE(found.empty()) << end;
  return found.empty() ? "" : found[0];
}

std::string StoreTest::ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

void StoreTest::ReplaceFile(const std::string& path, const std::string& bytes) {
  // Finished files are read-only.
  std::filesystem::permissions(path, std::filesystem::perms::owner_write,
                               std::filesystem::perm_options::add);
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << bytes;
  ASSERT_TRUE(out.flush()) << path;
}

}  // namespace shale
