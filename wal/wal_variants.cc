#include "shale/wal/wal_variants.h"

#include "shale/wal/open_blocking_wal.h"

namespace shale {
namespace {

constexpr WalVariant kVariants[] = {
    {"blocking", OpenBlockingWal},
};

}  // namespace

absl::Span<const WalVariant> WalVariants() { return kVariants; }

}  // namespace shale
