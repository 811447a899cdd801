// Every interleaving of the steps by which RingMvcc marks, advances, parks and
// wakes, for three threads: none may leave a finished write invisible or a
// thread parked for a visible one. A step is one access to shared memory; as
// what must not be missed hangs on read-modify-writes of single words
// (ring_mvcc.h, M2 and M3), to step in one order for all is no loss.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "shale/mvcc/advance_turn.h"

namespace shale {
namespace {

constexpr int kThreads = 3;
constexpr uint8_t kParked = 1;
constexpr uint8_t kNextWrite = 4;

// What AdvanceTurn is made of, for one step at a time.
struct PlainWord {
  uint32_t value;

  uint32_t fetch_add(uint32_t by, std::memory_order) {
    value += by;
    return value - by;
  }
  uint32_t exchange(uint32_t by, std::memory_order) {
    return std::exchange(value, by);
  }
  bool compare_exchange_strong(uint32_t& expected, uint32_t desired,
                               std::memory_order, std::memory_order) {
    if (value != expected) {
      expected = value;
      return false;
    }
    value = desired;
    return true;
  }
};

// What the threads do. Each marks something and then helps to advance; writers
// then wait for their write. Writes for which there is no slot at the start are
// begun once there is: their slots are used again.
struct Scenario {
  int writes;    // Thread i inserts write i, if there is one,
  bool durable;  // else it makes the log durable, unless it was from the start.
  int slots = 4;
};

// Mistakes that the test must notice, to be believed.
enum class Mistake {
  kNone,
  kLeavesBlindly,
  kDropsRequests,
  kLooksBeforeWatching,
  kFreesBeforeWaking,
};

enum Step : uint8_t {
  kFill,  // A slot that is free again.
  kBegin,
  kMark,
  kAsk,
  kLoadBegun,
  kWalk,
  kPublish,
  kTakeBits,
  kWake,
  kFree,
  kLeave,
  kDrop,   // The turn, after the second round; then callbacks may run.
  kLook,   // At the read point, before anything that parks.
  kWatch,  // Sets the bit.
  kLookAgain,
  kPark,
  kIsParked,
  kDone,
};

struct Thread {
  Step step = kMark;
  uint8_t end = 0;    // The walk has come to here.
  uint8_t taken = 0;  // Up to here the bits are taken.
  uint8_t watch = 0;  // What it saw when it set its bit.
  uint8_t begun = 0;  // The walk goes no further.
  uint8_t rounds = 0;
  std::array<uint8_t, 2> zero{};
  uint32_t asked = 1;
};

// Without padding: its bytes are its identity.
struct State {
  std::array<uint8_t, 4> inserted{};
  std::array<uint8_t, 4> watch{};
  uint8_t durable = 0;
  uint8_t read_point = 0;  // So many writes are visible.
  uint8_t oldest = 0;
  uint8_t begun = 0;
  uint8_t freed = 0;
  std::array<uint8_t, 3> zero{};
  BasicAdvanceTurn<PlainWord> turn;
  std::array<Thread, kThreads> threads;

  std::string Key() const {
    std::string key(sizeof(State), '\0');
    std::memcpy(key.data(), this, sizeof(State));
    return key;
  }
};
static_assert(std::has_unique_object_representations_v<State>);

class Explorer {
 public:
  Explorer(Scenario scenario, Mistake mistake)
      : scenario_(scenario), mistake_(mistake) {}

  // How many distinct outcomes are wrong.
  int Run() {
    State start;
    start.durable = scenario_.durable;
    start.begun = std::min(scenario_.writes, scenario_.slots);
    for (int i = start.begun; i < scenario_.writes; ++i) {
      start.threads[i].step = kFill;
    }
    std::vector<State> todo = {start};
    seen_.insert(start.Key());
    while (!todo.empty()) {
      const State state = todo.back();
      todo.pop_back();
      bool stuck = true;
      for (int i = 0; i < kThreads; ++i) {
        const Step step = state.threads[i].step;
        if (step == kDone || step == kIsParked) continue;
        if (step == kFill && !MayFill(state, i)) continue;
        stuck = false;
        State next = state;
        Advance(next, i);
        if (seen_.insert(next.Key()).second) todo.push_back(next);
      }
      if (stuck && !IsRight(state)) ++wrong_;
    }
    return wrong_;
  }
  size_t states() const { return seen_.size(); }

 private:
  bool IsRight(const State& state) const {
    for (const Thread& thread : state.threads) {
      if (thread.step != kDone) return false;
    }
    return state.read_point == scenario_.writes;
  }

  int SlotOf(int write) const { return write % scenario_.slots; }
  bool MayFill(const State& s, int i) const {
    return s.begun == i && i < s.freed + scenario_.slots;
  }

  // Thread `i` makes its next step.
  void Advance(State& s, int i) {
    Thread& t = s.threads[i];
    switch (t.step) {
      case kFill:
        s.inserted[SlotOf(i)] = 0;
        s.watch[SlotOf(i)] &= ~kParked;
        t.step = kBegin;
        return;
      case kBegin:
        s.begun = i + 1;
        t.step = kMark;
        return;
      case kMark:
        (i < scenario_.writes ? s.inserted[SlotOf(i)] : s.durable) = 1;
        t.step = kAsk;
        return;
      case kAsk:
        t.step = s.turn.Ask() ? kLoadBegun : AfterMark(i);
        t.asked = 1;
        t.rounds = 0;
        return;
      case kLoadBegun:
        t.begun = s.begun;
        t.end = t.taken = s.oldest;
        t.step = kWalk;
        return;
      default:
        return Walk(s, i);
    }
  }

  // The steps of whoever has the turn.
  void Walk(State& s, int i) {
    Thread& t = s.threads[i];
    switch (t.step) {
      case kWalk:
        if (t.end < t.begun && s.inserted[SlotOf(t.end)] && s.durable) {
          ++t.end;
        } else {
          t.step = t.end == s.oldest ? kLeave : kPublish;
        }
        return;
      case kPublish:
        s.read_point = s.oldest = t.end;
        if (mistake_ == Mistake::kFreesBeforeWaking) s.freed = t.end;
        t.step = kTakeBits;
        return;
      case kTakeBits:
        t.step = s.watch[SlotOf(t.taken)] & kParked ? kWake : kTakeBits;
        s.watch[SlotOf(t.taken)] += kNextWrite;
        if (t.step == kTakeBits) NextToTake(t);
        return;
      case kWake:
        for (int j = 0; j < kThreads; ++j) {
          if (SlotOf(j) != SlotOf(t.taken)) continue;
          if (s.threads[j].step == kIsParked) s.threads[j].step = kLook;
        }
        NextToTake(t);
        return;
      case kFree:
        s.freed = t.end;
        t.step = kLeave;
        return;
      case kLeave:
        if (mistake_ == Mistake::kLeavesBlindly) s.turn = {};
        if (mistake_ == Mistake::kLeavesBlindly || s.turn.Leave(t.asked)) {
          t.step = AfterMark(i);
        } else {
          t.step = t.rounds++ == 0 ? kLoadBegun : kDrop;
        }
        return;
      case kDrop:
        s.turn.Drop();
        t.step = mistake_ == Mistake::kDropsRequests ? AfterMark(i) : kAsk;
        return;
      default:
        return Wait(s, i);
    }
  }

  void NextToTake(Thread& t) {
    ++t.taken;
    t.step = t.taken < t.end ? kTakeBits : kFree;
  }
  Step AfterMark(int i) const { return i < scenario_.writes ? kLook : kDone; }

  // The steps of WaitVisible.
  void Wait(State& s, int i) {
    Thread& t = s.threads[i];
    const bool visible = s.read_point > i;
    switch (t.step) {
      case kLook:
        t.step = visible ? kDone : kWatch;
        return;
      case kWatch:
        t.watch = s.watch[SlotOf(i)] |= kParked;
        t.step = mistake_ == Mistake::kLooksBeforeWatching ? kPark : kLookAgain;
        return;
      case kLookAgain:
        t.step = visible ? kDone : kPark;
        return;
      default:
        t.step = s.watch[SlotOf(i)] == t.watch ? kIsParked : kLook;
        return;
    }
  }

  const Scenario scenario_;
  const Mistake mistake_;
  std::set<std::string> seen_;
  int wrong_ = 0;
};

constexpr Scenario kThreeWriters = {.writes = 3, .durable = true};
constexpr Scenario kTwoWritersAndASync = {.writes = 2, .durable = false};
constexpr Scenario kThreeWritersInTwoSlots = {
    .writes = 3, .durable = true, .slots = 2};
constexpr Scenario kTwoWritersInOneSlotAndASync = {
    .writes = 2, .durable = false, .slots = 1};

TEST(RingInterleavingsTest, NoOrderOfStepsLosesAnAdvanceOrAWakeUp) {
  for (const Scenario scenario :
       {kThreeWriters, kTwoWritersAndASync, kThreeWritersInTwoSlots,
        kTwoWritersInOneSlotAndASync}) {
    Explorer explorer(scenario, Mistake::kNone);
    EXPECT_EQ(explorer.Run(), 0);
    EXPECT_GT(explorer.states(), 100u);
  }
}

TEST(RingInterleavingsTest, LeavingTheTurnWithoutALookLosesAnAdvance) {
  EXPECT_GT(Explorer(kThreeWriters, Mistake::kLeavesBlindly).Run(), 0);
  EXPECT_GT(Explorer(kTwoWritersAndASync, Mistake::kLeavesBlindly).Run(), 0);
}

TEST(RingInterleavingsTest, DroppingTheTurnWithoutAskingAgainLosesAnAdvance) {
  EXPECT_GT(Explorer(kThreeWriters, Mistake::kDropsRequests).Run(), 0);
}

TEST(RingInterleavingsTest, FreeingASlotBeforeItsThreadIsWokenLosesAWakeUp) {
  EXPECT_GT(
      Explorer(kThreeWritersInTwoSlots, Mistake::kFreesBeforeWaking).Run(), 0);
}

TEST(RingInterleavingsTest, LookingBeforeWatchingLosesAWakeUp) {
  EXPECT_GT(Explorer(kThreeWriters, Mistake::kLooksBeforeWatching).Run(), 0);
}

}  // namespace
}  // namespace shale
