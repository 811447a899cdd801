#include "shale/storefile/block_builder.h"

#include <algorithm>
#include <utility>

#include "shale/base/check.h"
#include "shale/base/coding.h"

namespace shale {

void BlockBuilder::Add(absl::string_view key, absl::string_view value,
                       absl::string_view tags) {
  size_t shared = 0;
  if (count_ == 0 || since_restart_ == restart_interval_) {
    restarts_.push_back(static_cast<uint32_t>(entries_.size()));
    since_restart_ = 0;
  } else {
    const size_t limit = std::min(key.size(), last_key_.size());
    shared = std::mismatch(key.begin(), key.begin() + limit, last_key_.begin())
                 .first -
             key.begin();
  }
  PutVarint64(&entries_, shared);
  PutVarint64(&entries_, key.size() - shared);
  PutVarint64(&entries_, 2 * uint64_t{value.size()} + !tags.empty());
  if (!tags.empty()) PutVarint64(&entries_, tags.size());
  entries_.append(key.data() + shared, key.size() - shared);
  entries_.append(value.data(), value.size());
  entries_.append(tags.data(), tags.size());
  last_key_.assign(key.data(), key.size());
  ++count_;
  ++since_restart_;
}

std::string BlockBuilder::Finish() {
  SHALE_CHECK(count_ > 0);
  std::string block = std::exchange(entries_, std::string());
  for (const uint32_t restart : restarts_) PutFixed32(&block, restart);
  PutFixed32(&block, static_cast<uint32_t>(restarts_.size()));
  restarts_.clear();
  count_ = 0;
  since_restart_ = 0;
  return block;
}

}  // namespace shale
