#include "shale/tools/shale/importer.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "shale/base/check.h"
#include "shale/base/status_macros.h"
#include "shale/base/status_util.h"
#include "shale/tools/console/printed_value.h"
#include "shale/tools/shale/import_row.h"

namespace shale {
namespace {

// Whether the line is to blame for its status, rather than the region.
bool IsLinesFault(const absl::Status& status) {
  return absl::IsInvalidArgument(status) || absl::IsOutOfRange(status);
}

bool IsDurableWhenAnswered(Durability level) {
  return level != Durability::kSkipWal && level != Durability::kAsyncWal;
}

}  // namespace

absl::Status Importer::Run() {
  while (true) {
    SHALE_ASSIGN_OR_RETURN(const bool more, reader_.Next());
    if (!more) break;
    if (reader_.line_number() <= options_.skip_lines) continue;
    SHALE_RETURN_IF_ERROR(AddLine());
    if (batch_lines_.size() >= options_.batch_lines) {
      SHALE_RETURN_IF_ERROR(ApplyBatch());
      on_progress_(reader_.bytes_read(), result_.imported);
    }
  }
  return ApplyBatch();
}

absl::Status Importer::AddLine() {
  ++result_.lines;
  absl::StatusOr<RowMutation> mutation =
      MutationOfLine(options_.fields, reader_.fields(), options_.timestamp);
  if (!mutation.ok()) {
    return AddBadLine(reader_.line_number(), mutation.status().message());
  }
  batch_.mutations.push_back(*std::move(mutation));
  batch_lines_.push_back(reader_.line_number());
  return absl::OkStatus();
}

absl::Status Importer::ApplyBatch() {
  if (batch_lines_.empty()) return absl::OkStatus();
  MutationBatch batch = std::exchange(batch_, {});
  const std::vector<uint64_t> lines = std::exchange(batch_lines_, {});
  std::vector<uint64_t> cells;
  for (const RowMutation& mutation : batch.mutations) {
    cells.push_back(mutation.edits().size());
  }
  batch.durability = options_.durability;
  const ApplyResult applied = apply_(std::move(batch));
  SHALE_CHECK(applied.statuses.size() == lines.size()) << "one for each line";
  absl::Status bad;
  absl::Status failure;
  for (size_t i = 0; i < lines.size(); ++i) {
    const absl::Status& status = applied.statuses[i];
    if (status.ok()) {
      ++result_.imported;
      result_.cells += cells[i];
    } else if (IsLinesFault(status)) {
      bad.Update(AddBadLine(lines[i], status.message()));
    } else {
      failure.Update(Annotate(status, absl::StrCat("line ", lines[i])));
    }
  }
  if (failure.ok()) return bad;
  return absl::Status(
      failure.code(),
      absl::StrCat(
          failure.message(), "; ", CountOf(result_.imported, "line"),
          " before it ", result_.imported == 1 ? "is" : "are", " ",
          IsDurableWhenAnswered(options_.durability) ? "durable" : "imported"));
}

absl::Status Importer::AddBadLine(uint64_t number, absl::string_view problem) {
  ++result_.bad;
  if (result_.first_bad.size() < kBadLinesShown) {
    result_.first_bad.push_back({number, std::string(problem)});
  }
  if (result_.bad <= options_.max_bad_lines) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "line ", number, ": ", problem, " (bad line number ", result_.bad,
      ", --max_bad_lines=", options_.max_bad_lines, ")"));
}

}  // namespace shale
