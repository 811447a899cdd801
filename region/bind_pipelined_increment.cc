#include "shale/region/increment_protocol.h"
#include "shale/region/pipelined_increment.h"

namespace shale {

std::unique_ptr<IncrementProtocol> NewIncrementProtocol() {
  return std::make_unique<PipelinedIncrement>();
}

}  // namespace shale
