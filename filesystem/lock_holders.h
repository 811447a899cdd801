#ifndef SHALE_FILESYSTEM_LOCK_HOLDERS_H_
#define SHALE_FILESYSTEM_LOCK_HOLDERS_H_

#include <vector>

#include "shale/base/cxx_standard.h"

namespace shale {

// The ids of the processes that hold a flock on the file of `descriptor`, each
// once, ascending, as the kernel's table of locks (/proc/locks) has them. For
// messages: empty on a system or file system of which the table doesn't tell.
std::vector<int> LockHolders(int descriptor);

}  // namespace shale

#endif  // SHALE_FILESYSTEM_LOCK_HOLDERS_H_
