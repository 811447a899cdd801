// What a process counts about itself.
#ifndef SHALE_BASE_METRICS_H_
#define SHALE_BASE_METRICS_H_

#include <atomic>
#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/base/optimization.h"
#include "absl/base/thread_annotations.h"
#include "absl/cleanup/cleanup.h"
#include "absl/functional/any_invocable.h"
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
  std::string name = {};
  MetricLabels labels = {};  // Sorted by name.
  std::string help = {};
  MetricKind kind = MetricKind::kGauge;
  double unit = 1;           // Of a histogram: see GetHistogram().
  int64_t value = 0;         // Of a counter or gauge.
  Histogram histogram = {};  // Of a histogram.
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
  // Adds samples of what is counted elsewhere; their labels need not be sorted.
  using Collector = absl::AnyInvocable<void(std::vector<MetricSample>&) const>;
  // Removes its collector when destroyed, and returns only once that is not
  // being called. Movable.
  using Collection = decltype(absl::MakeCleanup(absl::AnyInvocable<void()>()));

  MetricsRegistry() = default;
  MetricsRegistry(const MetricsRegistry&) = delete;
  MetricsRegistry& operator=(const MetricsRegistry&) = delete;
  // REQUIRES: no collector is left.
  ~MetricsRegistry();

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

  // Calls `collector` at each Snapshot(), in the thread that takes it, perhaps
  // in several at a time: so what counts costs nothing but its counting. It
  // must not block on I/O, nor use this registry, nor take a lock that is held
  // where a collector is added or removed.
  [[nodiscard]] Collection Collect(Collector collector)
      ABSL_LOCKS_EXCLUDED(collectors_mu_);

  // All metrics and what collectors add, sorted by name, then labels. What is
  // told twice of one name and labels is added up.
  std::vector<MetricSample> Snapshot() const
      ABSL_LOCKS_EXCLUDED(mu_, collectors_mu_);

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

  void AddOwn(std::vector<MetricSample>& samples) const
      ABSL_LOCKS_EXCLUDED(mu_);

  // Held shared while collectors run: before every lock that those take.
  mutable absl::Mutex collectors_mu_;
  std::list<Collector> collectors_ ABSL_GUARDED_BY(collectors_mu_);
  mutable absl::Mutex mu_;  // A leaf. Not taken by the metrics themselves.
  // Nodes, so that references to metrics stay valid.
  std::map<std::string, Family, std::less<>> families_ ABSL_GUARDED_BY(mu_);
};

}  // namespace shale

#endif  // SHALE_BASE_METRICS_H_
