#include "shale/region/increment_protocol.h"
#include "shale/region/narrow_increment.h"

namespace shale {

std::unique_ptr<IncrementProtocol> NewIncrementProtocol() {
  return std::make_unique<NarrowIncrement>();
}

}  // namespace shale
