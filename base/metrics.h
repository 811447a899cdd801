// What a process counts about itself.
#ifndef SHALE_BASE_METRICS_H_
#define SHALE_BASE_METRICS_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "shale/base/concurrent_histogram.h"
#include "shale/base/histogram.h"

namespace shale {

// A number of events or bytes, which only grows. Thread-safe; statistics, so
// its atomic is relaxed and pairs with no operation: never synchronize by it.
class alignas(ABSL_CACHELINE_SIZE) Counter {
 public:
  // REQUIRES: by >= 0.
  void Increment(int64_t by = 1) {
    value_.fetch_add(by, std::memory_order_relaxed);
  }
  int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_ = 0;
};

// A level, which rises and falls. Thread-safe in the same way.
class alignas(ABSL_CACHELINE_SIZE) Gauge {
 public:
  void Set(int64_t value) { value_.store(value, std::memory_order_relaxed); }
  void Add(int64_t by) { value_.fetch_add(by, std::memory_order_relaxed); }
  int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_ = 0;
};

// A distribution: Record() and Snapshot().
using HistogramMetric = ConcurrentHistogram;

// Names and values, such as {{"region", "7"}}.
using MetricLabels = std::vector<std::pair<std::string, std::string>>;

enum class MetricKind { kCounter, kGauge, kHistogram };

// One metric at one moment.
struct MetricSample {
  std::string name;
  MetricLabels labels;  // Sorted by name.
  std::string help;
  MetricKind kind;
  double unit = 1;      // Of a histogram: see GetHistogram().
  int64_t value = 0;    // Of a counter or gauge.
  Histogram histogram;  // Of a histogram.
};

// Owns the metrics of one process or test. A metric is found, or made at the
// first call, by its name and labels, and lives as long as the registry: look
// it up once and keep the reference. Thread-safe.
//
// Names follow Prometheus: [a-zA-Z_:][a-zA-Z0-9_:]*, the unit at the end
// (_bytes, _seconds), counters with _total after it. A label's name is
// [a-zA-Z_][a-zA-Z0-9_]*, and not "le"; its value is any text. One name has one
// kind. To break these rules is a bug, and aborts.
class MetricsRegistry {
 public:
  MetricsRegistry() = default;
  MetricsRegistry(const MetricsRegistry&) = delete;
  MetricsRegistry& operator=(const MetricsRegistry&) = delete;

  // `help` is a sentence for people; the first that is not empty stays.
  Counter& GetCounter(absl::string_view name, absl::string_view help = "",
                      MetricLabels labels = {}) ABSL_LOCKS_EXCLUDED(mu_);
  Gauge& GetGauge(absl::string_view name, absl::string_view help = "",
                  MetricLabels labels = {}) ABSL_LOCKS_EXCLUDED(mu_);
  // `unit` is what 1 recorded is in the unit of the name: 1e-6 if the name ends
  // in _seconds and microseconds are recorded. The first call's stays.
  HistogramMetric& GetHistogram(absl::string_view name,
                                absl::string_view help = "",
                                MetricLabels labels = {}, double unit = 1)
      ABSL_LOCKS_EXCLUDED(mu_);

  // All metrics, sorted by name, then labels.
  std::vector<MetricSample> Snapshot() const ABSL_LOCKS_EXCLUDED(mu_);

  // Snapshot() in Prometheus' text format, version 0.0.4. A histogram has one
  // bucket for each power of two, from 63 recorded units up to its largest
  // value: over time buckets are only added.
  std::string TextExposition() const;

 private:
  // In the order of MetricKind.
  using Metric = std::variant<Counter, Gauge, HistogramMetric>;

  // All metrics of one name.
  struct Family {
    std::string help;
    double unit = 1;
    std::map<MetricLabels, Metric> metrics;  // All of one kind; never empty.
  };

  template <typename T>
  T& Get(absl::string_view name, absl::string_view help, MetricLabels labels,
         double unit) ABSL_LOCKS_EXCLUDED(mu_);

  mutable absl::Mutex mu_;  // A leaf. Not taken by the metrics themselves.
  // Nodes, so that references to metrics stay valid.
  std::map<std::string, Family, std::less<>> families_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_BASE_METRICS_H_
