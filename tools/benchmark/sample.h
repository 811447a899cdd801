#ifndef SHALE_TOOLS_BENCHMARK_SAMPLE_H_
#define SHALE_TOOLS_BENCHMARK_SAMPLE_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "shale/base/cxx_standard.h"

namespace shale {

// One quantity as several repetitions measured it, in their order.
class Sample {
 public:
  Sample() = default;
  explicit Sample(std::vector<double> values) : values_(std::move(values)) {}

  void Add(double value) { values_.push_back(value); }

  const std::vector<double>& values() const { return values_; }
  size_t size() const { return values_.size(); }

  // All are 0 without values.
  double median() const { return Quantile(0.5); }
  double max() const { return Quantile(1); }
  // The distance between the quartiles: half of the values lie that close
  // together, and one bad repetition of five doesn't count.
  double spread() const { return Quantile(0.75) - Quantile(0.25); }
  // The spread as a part of the median; 0 if that is 0.
  double relative_spread() const;

 private:
  // Between two values in proportion (type 7 of Hyndman and Fan, "Sample
  // Quantiles in Statistical Packages", 1996). REQUIRES: 0 <= fraction <= 1.
  double Quantile(double fraction) const;

  std::vector<double> values_;
};

// The first repetition of `a` over the first of `b`, and so on: neighbours in
// time, so that what slows the machine for a while slows both. As long as the
// shorter one; without the pairs whose `b` is 0.
Sample Ratio(const Sample& a, const Sample& b);

}  // namespace shale

#endif  // SHALE_TOOLS_BENCHMARK_SAMPLE_H_
