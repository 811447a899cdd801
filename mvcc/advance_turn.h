#ifndef SHALE_MVCC_ADVANCE_TURN_H_
#define SHALE_MVCC_ADVANCE_TURN_H_

#include <atomic>
#include <cstdint>

#include "shale/base/cxx_standard.h"

namespace shale {

// Lets one thread at a time do a piece of work that everybody asks for, and
// lets nobody wait for it: who asks while another is at it leaves that to him.
//
//   ... make the work necessary ...
//   if (!turn.Ask()) return;       // Another does it.
//   AdvanceTurn::Asked asked = 1;
//   do {
//     ... do what is there ...
//   } while (!turn.Leave(asked));  // Somebody asked meanwhile: look again.
//
// No request is lost: work made necessary before an Ask() is seen by a round
// that begins after it. Each Ask and Leave is one read-modify-write of a single
// word, and all of those have one order. An Ask that comes before a successful
// Leave changes the word, so that this Leave, whose holder has not seen it,
// fails and (acquire, pairing with the release in Ask) sees the work behind it.
// An Ask that comes after it finds zero, and (acquire, pairing with the release
// in Leave) takes over what the holder has done.
//
// A holder that has gone round often enough may Drop() the turn in place of the
// failed Leave, do something else, and Ask() anew. The requests that it drops
// are not lost: Drop (acquire) has seen the work behind them, and whoever has
// the turn after it, be it this thread again, sees that (release).
//
// A template over the word, so that a test can step through it.
template <typename Word>
class BasicAdvanceTurn {
 public:
  // How many requests the holder's latest round has seen; 1 after Ask().
  using Asked = uint32_t;

  // Whether the caller has the turn now.
  bool Ask() { return asked_.fetch_add(1, std::memory_order_acq_rel) == 0; }

  // Gives the turn back, unless somebody has asked since: then returns false,
  // having set `asked`, for another round.
  bool Leave(Asked& asked) {
    return asked_.compare_exchange_strong(asked, 0, std::memory_order_acq_rel,
                                          std::memory_order_acquire);
  }

  // Gives the turn back though somebody has asked. An Ask() must follow.
  void Drop() { asked_.exchange(0, std::memory_order_acq_rel); }

 private:
  Word asked_{0};  // Zero while nobody has the turn.
};

using AdvanceTurn = BasicAdvanceTurn<std::atomic<uint32_t>>;

}  // namespace shale

#endif  // SHALE_MVCC_ADVANCE_TURN_H_
