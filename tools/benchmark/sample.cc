#include "shale/tools/benchmark/sample.h"

#include <algorithm>

namespace shale {

double Sample::relative_spread() const {
  const double middle = median();
  return middle == 0 ? 0 : spread() / middle;
}

double Sample::Quantile(double fraction) const {
  if (values_.empty()) return 0;
  std::vector<double> sorted = values_;
  std::sort(sorted.begin(), sorted.end());
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const size_t below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] +
         (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Sample Ratio(const Sample& a, const Sample& b) {
  Sample ratio;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (b.values()[i] != 0) ratio.Add(a.values()[i] / b.values()[i]);
  }
  return ratio;
}

}  // namespace shale
