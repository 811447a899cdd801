#include "shale/mvcc/stuck_write.h"

#include "absl/strings/str_cat.h"

namespace shale {

std::vector<std::string> DescribeStuckWrites(
    absl::string_view owner, absl::Span<const StuckWrite> writes,
    LogPosition durable) {
  std::vector<std::string> texts;
  for (const StuckWrite& write : writes) {
    const std::string reason =
        !write.inserted ? "not inserted"
        : write.durable_at > durable
            ? absl::StrCat("inserted, waits for the log to be durable up to @",
                           write.durable_at.value, ", is @", durable.value)
            : absl::StrCat("finished, waits for #",
                           writes.front().range.first.value);
    texts.push_back(absl::StrCat(owner, ": write #", write.range.first.value,
                                 "..#", write.range.last.value, ", ",
                                 absl::FormatDuration(write.age),
                                 " old: ", reason));
  }
  return texts;
}

absl::Status UnfinishedWritesError(absl::string_view owner, WriteNumber number,
                                   int64_t writes, WriteNumber oldest) {
  return absl::FailedPreconditionError(
      absl::StrCat(owner, ": can't advance to #", number.value, ": ", writes,
                   " writes are unfinished, the oldest #", oldest.value));
}

}  // namespace shale
