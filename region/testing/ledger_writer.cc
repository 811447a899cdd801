#include "shale/region/testing/ledger_writer.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "shale/base/coding.h"
#include "shale/base/status_macros.h"
#include "shale/region/testing/test_host.h"

namespace shale {
namespace {

// Batch i deletes the row of batch i - kDeletesBack if i is such a one.
constexpr int64_t kDeleteEvery = 4;
constexpr int64_t kDeletesBack = 2;

bool Deletes(int64_t batch) { return batch % kDeleteEvery == kDeleteEvery - 1; }

// Where two texts begin to differ, line by line.
std::string FirstDifferingLine(absl::string_view got, absl::string_view want) {
  const std::vector<absl::string_view> got_lines = absl::StrSplit(got, '\n');
  const std::vector<absl::string_view> want_lines = absl::StrSplit(want, '\n');
  for (size_t i = 0; i < std::max(got_lines.size(), want_lines.size()); ++i) {
    const absl::string_view a = i < got_lines.size() ? got_lines[i] : "(end)";
    const absl::string_view b = i < want_lines.size() ? want_lines[i] : "(end)";
    if (a != b) {
      return absl::StrCat("got ", a.substr(0, 200), ", want ",
                          b.substr(0, 200));
    }
  }
  return "no difference";
}

}  // namespace

std::string LedgerWriter::RowOf(int64_t batch) const {
  return absl::StrFormat("%d/%06d", id_, batch);
}

std::string LedgerWriter::LastRow() const { return absl::StrCat(id_, "/last"); }

std::string LedgerWriter::ValueOf(int64_t batch) const {
  const size_t padding = static_cast<size_t>(batch * 997 + id_ * 131) % 1000;
  return absl::StrCat(batch, ":", std::string(padding, 'a' + batch % 26));
}

MutationBatch LedgerWriter::Batch(int64_t batch) const {
  const std::string value = ValueOf(batch);
  MutationBatch mutations;
  mutations.atomic = true;
  mutations.nonce = {static_cast<uint64_t>(id_) + 1,
                     static_cast<uint64_t>(batch) + 1};
  mutations.mutations.push_back(
      RowMutation(RowOf(batch)).Put("f", "v", value).Put("g", "v", value));
  mutations.mutations.push_back(
      RowMutation(LastRow()).Put("f", "v", value).Increment("f", "n", 1));
  if (Deletes(batch)) {
    mutations.mutations.push_back(
        RowMutation(RowOf(batch - kDeletesBack)).DeleteRow());
  }
  return mutations;
}

std::string LedgerWriter::Expected(int64_t batches) const {
  std::string text;
  for (int64_t batch = 0; batch < batches; ++batch) {
    const int64_t deleter = batch + kDeletesBack;
    if (deleter < batches && Deletes(deleter)) continue;
    const std::string row = RowOf(batch);
    const std::string value = ValueOf(batch);
    absl::StrAppend(&text, row, "/f:v=", value, " ", row, "/g:v=", value, "\n");
  }
  if (batches > 0) {
    std::string count;
    PutBigEndian64(&count, static_cast<uint64_t>(batches));
    absl::StrAppend(&text, LastRow(), "/f:n=", count, " ", LastRow(),
                    "/f:v=", ValueOf(batches - 1), "\n");
  }
  return text;
}

absl::Status LedgerWriter::Write(Region& region, Durability durability) {
  begun_ = next_ + 1;
  MutationBatch batch = Batch(next_);
  batch.durability = durability;
  SHALE_RETURN_IF_ERROR(region.Apply(std::move(batch)).status());
  ++next_;
  return absl::OkStatus();
}

absl::Status LedgerWriter::Check(const Region& region) {
  SHALE_ASSIGN_OR_RETURN(const RowResult last, region.Read({LastRow(), {}}));
  int64_t batches = 0;
  if (const std::optional<absl::string_view> value = last.Value("f", "v");
      value.has_value()) {
    const absl::string_view number = value->substr(0, value->find(':'));
    if (!absl::SimpleAtoi(number, &batches)) {
      return absl::DataLossError(absl::StrCat("last batch: ", *value));
    }
    ++batches;
  }
  if (batches < acknowledged_ || batches > begun_) {
    return absl::DataLossError(
        absl::StrCat("writer ", id_, ": ", batches, " batches are there, ",
                     acknowledged_, " were acknowledged, ", begun_, " begun"));
  }
  Scan scan;
  scan.start_row = absl::StrCat(id_, "/");
  scan.stop_row = absl::StrCat(id_, "0");
  const std::string got = ScanText(region, scan, /*timestamps=*/false);
  const std::string want = Expected(batches);
  if (got != want) {
    return absl::DataLossError(
        absl::StrCat("writer ", id_, " after ", batches,
                     " batches: ", FirstDifferingLine(got, want)));
  }
  next_ = batches;
  begun_ = batches;
  acknowledged_ = batches;
  return absl::OkStatus();
}

absl::Status LedgerWriter::Repeat(Region& region) {
  if (next_ == 0) return absl::OkStatus();
  SHALE_RETURN_IF_ERROR(region.Apply(Batch(next_ - 1)).status());
  return Check(region);
}

}  // namespace shale
