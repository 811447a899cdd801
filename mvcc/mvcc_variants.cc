#include "shale/mvcc/mvcc_variants.h"

#include "shale/mvcc/prefix_mvcc.h"

namespace shale {
namespace {

template <typename Variant>
std::unique_ptr<Mvcc> Create(const MvccOptions& options, Clock& clock) {
  return std::make_unique<Variant>(options, clock);
}

constexpr MvccVariant kVariants[] = {
    {"prefix", Create<PrefixMvcc>},
};

}  // namespace

absl::Span<const MvccVariant> MvccVariants() { return kVariants; }

}  // namespace shale
