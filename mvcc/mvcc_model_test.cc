// Every variant of Mvcc against a naive twin that keeps all writes for ever and
// recomputes everything by scanning, over seeded operations.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "shale/base/random.h"
#include "shale/base/testing/test_seed.h"
#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/pending_wait.h"
#include "shale/mvcc/testing/mvcc_fixture.h"

namespace shale {
namespace {

// The twin. Events (a callback that ran) are numbers given at registration.
class NaiveMvcc {
 public:
  explicit NaiveMvcc(int64_t slots) : slots_(slots) {}

  void Reserve(int event) {
    reservations_.push_back(event);
    Update();
  }
  void CancelReservation() {
    --reserved_;
    Update();
  }
  WriteRange Begin(uint64_t count, uint64_t durable_at) {
    const WriteRange range{{minted_ + 1}, {minted_ + count}};
    minted_ += count;
    --reserved_;
    writes_.push_back({range, durable_at});
    return range;
  }
  void MarkInserted(WriteRange range) {
    Of(range).inserted = true;
    Update();
  }
  void MarkDurable(uint64_t position) {
    durable_ = std::max(durable_, position);
    Update();
  }
  void Complete(WriteRange range) {
    Of(range).inserted = true;
    Of(range).durable_at = 0;
    Update();
  }
  void OnVisible(uint64_t number, int event) {
    if (number <= read_point_) {
      events_.push_back(event);
    } else {
      waiting_.push_back({number, event});
    }
  }
  void Barrier(int event) { OnVisible(minted_, event); }
  bool AdvanceTo(uint64_t number) {
    if (read_point_ != minted_) return false;
    read_point_ = minted_ = std::max(minted_, number);
    return true;
  }
  void Pin() { pins_.insert(read_point_); }
  void Unpin(uint64_t number) { pins_.erase(pins_.find(number)); }

  uint64_t read_point() const { return read_point_; }
  uint64_t minted() const { return minted_; }
  int64_t reserved() const { return reserved_; }
  uint64_t SmallestPinned() const {
    return pins_.empty() ? read_point_ : *pins_.begin();
  }
  const std::vector<int>& events() const { return events_; }

 private:
  struct Write {
    WriteRange range;
    uint64_t durable_at;
    bool inserted = false;
  };
  struct Waiting {
    uint64_t number;
    int event;
  };

  Write& Of(WriteRange range) {
    return *std::find_if(writes_.begin(), writes_.end(),
                         [range](const Write& w) { return w.range == range; });
  }
  bool Finished(const Write& write) const {
    return write.inserted && write.durable_at <= durable_;
  }

  // Lets everything happen that now may.
  void Update() {
    int64_t in_use = 0;
    bool prefix = true;
    for (const Write& write : writes_) {
      prefix =
          prefix && (write.range.last.value <= read_point_ || Finished(write));
      if (!prefix) ++in_use;
      if (prefix) read_point_ = std::max(read_point_, write.range.last.value);
    }
    // In number order of the write that held each up.
    std::stable_sort(waiting_.begin(), waiting_.end(),
                     [this](const Waiting& a, const Waiting& b) {
                       return WriteOf(a.number) < WriteOf(b.number);
                     });
    while (!waiting_.empty() && waiting_.front().number <= read_point_) {
      events_.push_back(waiting_.front().event);
      waiting_.erase(waiting_.begin());
    }
    while (!reservations_.empty() && in_use + reserved_ < slots_) {
      events_.push_back(reservations_.front());
      reservations_.erase(reservations_.begin());
      ++reserved_;
    }
  }
  size_t WriteOf(uint64_t number) const {
    return std::find_if(writes_.begin(), writes_.end(),
                        [number](const Write& w) {
                          return number <= w.range.last.value;
                        }) -
           writes_.begin();
  }

  const int64_t slots_;
  std::vector<Write> writes_;
  uint64_t minted_ = 0;
  uint64_t read_point_ = 0;
  uint64_t durable_ = 0;
  int64_t reserved_ = 0;
  std::vector<int> reservations_;
  std::vector<Waiting> waiting_;
  std::multiset<uint64_t> pins_;
  std::vector<int> events_;
};

// Applies one random operation after the other to both and compares.
class Script {
 public:
  Script(std::unique_ptr<Mvcc> mvcc, int64_t slots, uint64_t seed)
      : mvcc_(std::move(mvcc)), naive_(slots), random_(seed) {}

  void Step() {
    switch (random_.Uniform(12)) {
      case 0:
      case 1:
        return Reserve();
      case 2:
      case 3:
        return Begin();
      case 4:
      case 5:
        return Finish();
      case 6:
        return MarkDurable();
      case 7:
        return OnVisible();
      case 8:
        return Barrier();
      case 9:
        return Pin();
      case 10:
        return Unpin();
      default:
        return AdvanceToOrCancel();
    }
  }

  void Compare() {
    ASSERT_EQ(mvcc_->ReadPoint().value, naive_.read_point());
    ASSERT_EQ(mvcc_->WritePoint().value, naive_.minted());
    ASSERT_EQ(mvcc_->SmallestPinned().value, naive_.SmallestPinned());
    ASSERT_EQ(events_, naive_.events());
  }

 private:
  std::function<void()> Event(int event) {
    return [this, event] { events_.push_back(event); };
  }

  void Reserve() {
    mvcc_->Reserve(Event(next_event_));
    naive_.Reserve(next_event_++);
  }
  void Begin() {
    if (naive_.reserved() == 0) return;
    if (random_.OneIn(8)) {
      EXPECT_FALSE(mvcc_
                       ->Begin(1,
                               [](WriteRange) -> absl::StatusOr<Appended> {
                                 return absl::InternalError("no");
                               })
                       .ok());
      return;
    }
    const uint64_t count = 1 + random_.Uniform(4);
    uint64_t durable_at = kLogStart.value;
    if (!random_.OneIn(3)) durable_at = appended_ += 1 + random_.Uniform(9);
    const absl::StatusOr<BeginResult> begun = mvcc_->Begin(
        static_cast<int64_t>(count),
        [durable_at](WriteRange) { return Appended{{durable_at}}; });
    ASSERT_TRUE(begun.ok()) << begun.status();
    ASSERT_EQ(begun->range, naive_.Begin(count, durable_at));
    unmarked_.push_back(begun->range);
  }
  void Finish() {
    if (unmarked_.empty()) return;
    const size_t i = random_.Uniform(unmarked_.size());
    const WriteRange range = unmarked_[i];
    unmarked_.erase(unmarked_.begin() + static_cast<int64_t>(i));
    if (random_.OneIn(4)) {
      mvcc_->Complete(range);
      naive_.Complete(range);
    } else {
      mvcc_->MarkInserted(range);
      naive_.MarkInserted(range);
    }
  }
  void MarkDurable() {
    const uint64_t position = random_.Uniform(appended_ + 1);
    mvcc_->MarkDurable({position});
    naive_.MarkDurable(position);
  }
  void OnVisible() {
    if (naive_.minted() == 0) return;
    // Mostly one of the newest numbers.
    const uint64_t number =
        naive_.minted() - random_.Uniform(std::min<uint64_t>(
                              naive_.minted(), random_.OneIn(4) ? 1000 : 20));
    mvcc_->OnVisible({{number}, {number}}, Event(next_event_));
    naive_.OnVisible(number, next_event_++);
  }
  void Barrier() {
    mvcc_->Barrier(Event(next_event_));
    naive_.Barrier(next_event_++);
    // Of a thread that mustn't park: there is only this one.
    PendingWait wait;
    mvcc_->GiveUp(wait);
    EXPECT_EQ(mvcc_->WaitBarrierUnless(wait),
              naive_.read_point() == naive_.minted());
  }
  void Pin() {
    pins_.push_back(mvcc_->Pin());
    naive_.Pin();
  }
  void Unpin() {
    if (pins_.empty()) return;
    const size_t i = random_.Uniform(pins_.size());
    naive_.Unpin(pins_[i].read_point().value);
    pins_.erase(pins_.begin() + static_cast<int64_t>(i));
  }
  void AdvanceToOrCancel() {
    if (random_.OneIn(2) && naive_.reserved() > 0) {
      mvcc_->CancelReservation();
      naive_.CancelReservation();
      return;
    }
    const uint64_t number = naive_.minted() + random_.Uniform(5);
    ASSERT_EQ(mvcc_->AdvanceTo({number}).ok(), naive_.AdvanceTo(number));
  }

  std::unique_ptr<Mvcc> mvcc_;
  NaiveMvcc naive_;
  Random random_;
  uint64_t appended_ = 0;  // End of the imagined log.
  int next_event_ = 0;
  std::vector<int> events_;  // What ran, in order.
  std::vector<WriteRange> unmarked_;
  std::vector<ReadPin> pins_;  // Goes before mvcc_.
};

class MvccModelTest : public MvccFixture {};

INSTANTIATE_TEST_SUITE_P(Variants, MvccModelTest,
                         testing::ValuesIn(MvccVariants()), MvccVariantName);

TEST_P(MvccModelTest, AgreesWithTheNaiveTwin) {
  const uint64_t seed = TestSeed();
  Random random(seed);
  for (int round = 0; round < 100; ++round) {
    const int64_t slots = 1 + static_cast<int64_t>(random.Uniform(12));
    Script script(Create({.slots = slots}), slots, random.Next());
    for (int step = 0; step < 500; ++step) {
      script.Step();
      script.Compare();
      if (HasFatalFailure()) {
        FAIL() << "seed " << seed << " round " << round << " step " << step;
      }
    }
  }
}

}  // namespace
}  // namespace shale
