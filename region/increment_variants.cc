#include "shale/region/increment_variants.h"

#include "shale/region/consistent_increment.h"
#include "shale/region/narrow_increment.h"
#include "shale/region/pipelined_increment.h"

namespace shale {
namespace {

template <typename Variant>
std::unique_ptr<IncrementProtocol> Create() {
  return std::make_unique<Variant>();
}

constexpr IncrementVariant kVariants[] = {
    {"consistent", Create<ConsistentIncrement>},
    {"narrow", Create<NarrowIncrement>},
    {"pipelined", Create<PipelinedIncrement>},
};

}  // namespace

absl::Span<const IncrementVariant> IncrementVariants() { return kVariants; }

}  // namespace shale
