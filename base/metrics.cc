#include "shale/base/metrics.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <tuple>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "shale/base/check.h"
#include "shale/base/histogram_buckets.h"

namespace shale {
namespace {

bool IsName(absl::string_view name, absl::string_view punctuation) {
  if (name.empty() || absl::ascii_isdigit(name[0])) return false;
  return std::all_of(name.begin(), name.end(), [punctuation](char c) {
    return absl::ascii_isalnum(c) ||
           punctuation.find(c) != absl::string_view::npos;
  });
}

void CheckLabels(absl::string_view metric, const MetricLabels& labels) {
  for (size_t i = 0; i < labels.size(); ++i) {
    const std::string& name = labels[i].first;
    SHALE_CHECK(IsName(name, "_") && name != "le")
        << metric << ": bad label name \"" << name << '"';
    SHALE_CHECK(i == 0 || labels[i - 1].first != name)
        << metric << ": label \"" << name << "\" given twice";
  }
}

// `{a="1",b="2"}`, or nothing without labels.
std::string LabelsText(const MetricLabels& labels) {
  if (labels.empty()) return "";
  std::string text = "{";
  for (const auto& [name, value] : labels) {
    absl::StrAppend(&text, text.size() > 1 ? "," : "", name, "=\"",
                    absl::StrReplaceAll(
                        value, {{"\\", "\\\\"}, {"\"", "\\\""}, {"\n", "\\n"}}),
                    "\"");
  }
  return text + "}";
}

std::string Number(double value) { return absl::StrFormat("%.9g", value); }

void AppendHistogram(const MetricSample& sample, std::string* text) {
  const Histogram& histogram = sample.histogram;
  const auto append_bucket = [&sample, text](std::string bound, int64_t count) {
    MetricLabels labels = sample.labels;
    labels.emplace_back("le", std::move(bound));
    absl::StrAppend(text, sample.name, "_bucket", LabelsText(labels), " ",
                    count, "\n");
  };
  for (int group = 0; group < kHistogramGroups; ++group) {
    const int64_t bound =
        HighestInHistogramBucket((group + 1) * kHistogramBucketsInGroup - 1);
    append_bucket(Number(static_cast<double>(bound) * sample.unit),
                  histogram.CountUpTo(bound));
    if (bound >= histogram.max()) break;
  }
  append_bucket("+Inf", histogram.count());
  const std::string labels = LabelsText(sample.labels);
  const double sum = static_cast<double>(histogram.sum()) * sample.unit;
  absl::StrAppend(text, sample.name, "_sum", labels, " ", Number(sum), "\n");
  absl::StrAppend(text, sample.name, "_count", labels, " ", histogram.count(),
                  "\n");
}

void CheckCollected(MetricSample& sample) {
  SHALE_CHECK(IsName(sample.name, "_:"))
      << "bad metric name \"" << sample.name << '"';
  std::sort(sample.labels.begin(), sample.labels.end());
  CheckLabels(sample.name, sample.labels);
}

bool IsBefore(const MetricSample& a, const MetricSample& b) {
  return std::tie(a.name, a.labels) < std::tie(b.name, b.labels);
}

// One sample of each name and labels. REQUIRES: sorted.
std::vector<MetricSample> AddedUp(std::vector<MetricSample> samples) {
  std::vector<MetricSample> sums;
  for (MetricSample& sample : samples) {
    SHALE_CHECK(sums.empty() || sums.back().name != sample.name ||
                sums.back().kind == sample.kind)
        << "metric " << sample.name << " is of another kind already";
    if (sums.empty() || IsBefore(sums.back(), sample)) {
      sums.push_back(std::move(sample));
      continue;
    }
    sums.back().value += sample.value;
    sums.back().histogram.Merge(sample.histogram);
  }
  return sums;
}

void AppendHeader(const MetricSample& sample, std::string* text) {
  if (!sample.help.empty()) {
    absl::StrAppend(
        text, "# HELP ", sample.name, " ",
        absl::StrReplaceAll(sample.help, {{"\\", "\\\\"}, {"\n", "\\n"}}),
        "\n");
  }
  constexpr const char* kKinds[] = {"counter", "gauge", "histogram"};
  absl::StrAppend(text, "# TYPE ", sample.name, " ",
                  kKinds[static_cast<size_t>(sample.kind)], "\n");
}

}  // namespace

Counter& MetricsRegistry::GetCounter(absl::string_view name,
                                     absl::string_view help,
                                     MetricLabels labels) {
  return Get<Counter>(name, help, std::move(labels), 1);
}

Gauge& MetricsRegistry::GetGauge(absl::string_view name, absl::string_view help,
                                 MetricLabels labels) {
  return Get<Gauge>(name, help, std::move(labels), 1);
}

HistogramMetric& MetricsRegistry::GetHistogram(absl::string_view name,
                                               absl::string_view help,
                                               MetricLabels labels,
                                               double unit) {
  return Get<HistogramMetric>(name, help, std::move(labels), unit);
}

template <typename T>
T& MetricsRegistry::Get(absl::string_view name, absl::string_view help,
                        MetricLabels labels, double unit) {
  SHALE_CHECK(IsName(name, "_:")) << "bad metric name \"" << name << '"';
  std::sort(labels.begin(), labels.end());
  CheckLabels(name, labels);
  absl::MutexLock lock(&mu_);
  const auto [found, is_new] = families_.try_emplace(std::string(name));
  Family& family = found->second;
  if (is_new) family.unit = unit;
  if (family.help.empty()) family.help = std::string(help);
  SHALE_CHECK(is_new ||
              std::holds_alternative<T>(family.metrics.begin()->second))
      << "metric " << name << " is of another kind already";
  const auto metric =
      family.metrics.try_emplace(std::move(labels), std::in_place_type<T>);
  return std::get<T>(metric.first->second);
}

MetricsRegistry::~MetricsRegistry() {
  absl::MutexLock lock(&collectors_mu_);
  SHALE_CHECK(collectors_.empty()) << "a collector is left";
}

MetricsRegistry::Collection MetricsRegistry::Collect(Collector collector) {
  absl::MutexLock lock(&collectors_mu_);
  const auto added =
      collectors_.insert(collectors_.end(), std::move(collector));
  return absl::MakeCleanup(absl::AnyInvocable<void()>([this, added] {
    absl::MutexLock lock(&collectors_mu_);
    collectors_.erase(added);
  }));
}

std::vector<MetricSample> MetricsRegistry::Snapshot() const {
  std::vector<MetricSample> samples;
  {
    absl::ReaderMutexLock lock(&collectors_mu_);
    for (const Collector& collect : collectors_) collect(samples);
  }
  for (MetricSample& sample : samples) CheckCollected(sample);
  AddOwn(samples);
  std::stable_sort(samples.begin(), samples.end(), IsBefore);
  return AddedUp(std::move(samples));
}

void MetricsRegistry::AddOwn(std::vector<MetricSample>& samples) const {
  absl::MutexLock lock(&mu_);
  for (const auto& [name, family] : families_) {
    for (const auto& [labels, metric] : family.metrics) {
      MetricSample& sample = samples.emplace_back();
      sample.name = name;
      sample.labels = labels;
      sample.help = family.help;
      sample.kind = static_cast<MetricKind>(metric.index());
      sample.unit = family.unit;
      if (const auto* histogram = std::get_if<HistogramMetric>(&metric)) {
        sample.histogram = histogram->Snapshot();
      } else if (const auto* gauge = std::get_if<Gauge>(&metric)) {
        sample.value = gauge->value();
      } else {
        sample.value = std::get<Counter>(metric).value();
      }
    }
  }
}

std::string MetricsRegistry::TextExposition() const {
  std::string text;
  std::string last_name;
  for (const MetricSample& sample : Snapshot()) {
    if (sample.name != last_name) AppendHeader(sample, &text);
    last_name = sample.name;
    if (sample.kind == MetricKind::kHistogram) {
      AppendHistogram(sample, &text);
    } else {
      absl::StrAppend(&text, sample.name, LabelsText(sample.labels), " ",
                      sample.value, "\n");
    }
  }
  return text;
}

}  // namespace shale
