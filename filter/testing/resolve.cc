#include "shale/filter/testing/resolve.h"

#include "shale/base/check.h"

namespace shale {
namespace {

using Verdict = VersionResolver::Verdict;

bool Includes(Verdict verdict) {
  return verdict == Verdict::kInclude ||
         verdict == Verdict::kIncludeAndNextColumn;
}

bool EndsColumn(Verdict verdict) {
  return verdict == Verdict::kNextColumn ||
         verdict == Verdict::kIncludeAndNextColumn;
}

}  // namespace

std::vector<Cell> Included(VersionResolver resolver,
                           const std::vector<Cell>& cells) {
  VersionResolver patient = resolver;
  std::vector<Cell> included;
  const Cell* left = nullptr;  // A cell of the column that was left early.
  for (const Cell& cell : cells) {
    const Verdict patient_verdict = patient.Offer(cell.view());
    if (left != nullptr && left->row == cell.row &&
        left->qualifier == cell.qualifier) {
      SHALE_CHECK(!Includes(patient_verdict)) << DebugString(cell.view());
      continue;
    }
    const Verdict verdict = resolver.Offer(cell.view());
    SHALE_CHECK(verdict == patient_verdict) << DebugString(cell.view());
    if (Includes(verdict)) included.push_back(cell);
    left = EndsColumn(verdict) ? &cell : nullptr;
  }
  return included;
}

}  // namespace shale
