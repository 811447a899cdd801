#ifndef SHALE_FILTER_TESTING_RESOLVE_H_
#define SHALE_FILTER_TESTING_RESOLVE_H_

#include <vector>

#include "shale/cell/cell.h"
#include "shale/filter/version_resolver.h"

namespace shale {

// The cells that `resolver`, a fresh one, includes of `cells`, which are in key
// order. Goes on to the next column as soon as a verdict allows it, and checks
// that another resolver which hears of every cell says the same.
std::vector<Cell> Included(VersionResolver resolver,
                           const std::vector<Cell>& cells);

}  // namespace shale

#endif  // SHALE_FILTER_TESTING_RESOLVE_H_
