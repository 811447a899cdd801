#include <memory>

#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/ring_mvcc.h"

namespace shale {

std::unique_ptr<Mvcc> NewMvcc(const MvccOptions& options, Clock& clock) {
  return std::make_unique<RingMvcc>(options, clock);
}

}  // namespace shale
