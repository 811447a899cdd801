#include "shale/region/testing/mixed_levels_row.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "shale/base/coding.h"
#include "shale/base/status_macros.h"

namespace shale {
namespace {

constexpr absl::string_view kRow = "mixed";

int64_t Counter(const RowResult& row, absl::string_view family) {
  const std::optional<absl::string_view> value = row.Value(family, "n");
  return value.has_value()
             ? static_cast<int64_t>(DecodeBigEndian64(value->data()))
             : 0;
}

// How long what was appended is.
int64_t Length(const RowResult& row) {
  return static_cast<int64_t>(row.Value("f", "a").value_or("").size());
}

}  // namespace

absl::Status MixedLevelsRow::Count(Region& region, Durability durability) {
  MutationBatch batch;
  batch.mutations.push_back(RowMutation(kRow)
                                .Increment("f", "n", 1)
                                .Append("f", "a", "x")
                                .Increment("g", "n", 1));
  batch.durability = durability;
  batch.want_results = true;
  ++begun_;
  const ApplyResult result = region.Apply(std::move(batch));
  SHALE_RETURN_IF_ERROR(result.status());
  const int64_t count = Counter(result.rows[0], "f");
  Raise(answered_, count);
  if (durability == Durability::kSyncWal ||
      durability == Durability::kFsyncWal) {
    Acknowledge(count);
  }
  return absl::OkStatus();
}

absl::Status MixedLevelsRow::Check(const Region& region) {
  SHALE_ASSIGN_OR_RETURN(const RowResult row,
                         region.Read({std::string(kRow), {}}));
  const int64_t count = Counter(row, "f");
  if (count < acknowledged_ || count > begun_ || Counter(row, "g") != count ||
      Length(row) != count) {
    return absl::DataLossError(absl::StrCat(
        "row ", kRow, " was counted to ", count, " in f, ", Counter(row, "g"),
        " in g, with ", Length(row), " bytes appended; ", acknowledged_.load(),
        " were acknowledged, ", begun_.load(), " begun"));
  }
  begun_ = count;
  answered_ = count;
  acknowledged_ = count;
  return absl::OkStatus();
}

void MixedLevelsRow::Raise(std::atomic<int64_t>& to, int64_t count) {
  int64_t now = to;
  while (now < count && !to.compare_exchange_weak(now, count)) {
  }
}

}  // namespace shale
