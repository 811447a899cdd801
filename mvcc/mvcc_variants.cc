#include "shale/mvcc/mvcc_variants.h"

#include "shale/mvcc/head_of_line_mvcc.h"
#include "shale/mvcc/prefix_mvcc.h"
#include "shale/mvcc/ring_mvcc.h"

namespace shale {
namespace {

template <typename Variant>
std::unique_ptr<Mvcc> Create(const MvccOptions& options, Clock& clock) {
  return std::make_unique<Variant>(options, clock);
}

constexpr MvccVariant kVariants[] = {
    {"head_of_line", Create<HeadOfLineMvcc>},
    {"prefix", Create<PrefixMvcc>},
    {"ring", Create<RingMvcc>},
};

}  // namespace

absl::Span<const MvccVariant> MvccVariants() { return kVariants; }

}  // namespace shale
