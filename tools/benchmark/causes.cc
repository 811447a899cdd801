#include "shale/tools/benchmark/causes.h"

#include <sys/resource.h>

#include "shale/base/check.h"

namespace shale {

Causes Causes::Since(const Causes& before) const {
  Causes causes;
  for (int64_t Causes::*count :
       {&Causes::context_switches, &Causes::waits, &Causes::wakes,
        &Causes::barrier_waits, &Causes::yields, &Causes::syncs,
        &Causes::log_entries}) {
    causes.*count = this->*count - before.*count;
  }
  return causes;
}

Causes ProcessCauses() {
  rusage usage = {};
  SHALE_CHECK(getrusage(RUSAGE_SELF, &usage) == 0);
  Causes causes;
  causes.context_switches = usage.ru_nvcsw + usage.ru_nivcsw;
  return causes;
}

}  // namespace shale
