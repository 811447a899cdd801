#include "shale/region/consistent_increment.h"
#include "shale/region/increment_protocol.h"

namespace shale {

std::unique_ptr<IncrementProtocol> NewIncrementProtocol() {
  return std::make_unique<ConsistentIncrement>();
}

}  // namespace shale
