#include <memory>

#include "shale/mvcc/head_of_line_mvcc.h"
#include "shale/mvcc/mvcc.h"

namespace shale {

std::unique_ptr<Mvcc> NewMvcc(const MvccOptions& options, Clock& clock) {
  return std::make_unique<HeadOfLineMvcc>(options, clock);
}

}  // namespace shale
