#include <memory>

#include "shale/mvcc/mvcc.h"
#include "shale/mvcc/prefix_mvcc.h"

namespace shale {

std::unique_ptr<Mvcc> NewMvcc(const MvccOptions& options, Clock& clock) {
  return std::make_unique<PrefixMvcc>(options, clock);
}

}  // namespace shale
