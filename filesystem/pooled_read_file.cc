#include "shale/filesystem/pooled_read_file.h"

#include <utility>
#include <vector>

namespace shale {

void PooledReadFile::Read(FileExtent extent, ReadCallback done) {
  tasks_.Run([this, extent, done = std::move(done)]() mutable {
    done(reader_(extent));
  });
}

void PooledReadFile::ReadMany(absl::Span<const FileExtent> extents,
                              ReadManyCallback done) {
  tasks_.Run([this,
              extents = std::vector<FileExtent>(extents.begin(), extents.end()),
              done = std::move(done)]() mutable {
    std::vector<std::string> results;
    results.reserve(extents.size());
    for (const FileExtent extent : extents) {
      absl::StatusOr<std::string> bytes = reader_(extent);
      if (!bytes.ok()) {
        done(std::move(bytes).status());
        return;
      }
      results.push_back(*std::move(bytes));
    }
    done(std::move(results));
  });
}

}  // namespace shale
