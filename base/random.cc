#include "shale/base/random.h"

#include "absl/numeric/bits.h"
#include "absl/numeric/int128.h"
#include "shale/base/check.h"
#include "shale/base/coding.h"

namespace shale {
namespace {

uint64_t SplitMix64(uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(uint64_t seed) {
  for (uint64_t& word : state_) word = SplitMix64(seed);
}

uint64_t Random::Next() {
  const uint64_t result = absl::rotl(state_[1] * 5, 7) * 9;
  const uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = absl::rotl(state_[3], 45);
  return result;
}

uint64_t Random::Uniform(uint64_t n) {
  SHALE_CHECK(n > 0);
  // Lemire, "Fast random integer generation in an interval", 2019: the high
  // half of a product is even once the few low halves below 2^64 mod n go.
  absl::uint128 product = absl::uint128(Next()) * n;
  if (absl::Uint128Low64(product) < n) {
    const uint64_t uneven = -n % n;
    while (absl::Uint128Low64(product) < uneven) {
      product = absl::uint128(Next()) * n;
    }
  }
  return absl::Uint128High64(product);
}

double Random::Fraction() {
  constexpr double kStep = 1.0 / (uint64_t{1} << 53);
  return static_cast<double>(Next() >> 11) * kStep;
}

uint64_t Random::Skewed(int max_bits) {
  SHALE_CHECK(max_bits >= 0 && max_bits <= 63) << max_bits;
  return Uniform(uint64_t{1} << Uniform(static_cast<uint64_t>(max_bits) + 1));
}

std::string Random::Bytes(size_t length) {
  std::string bytes;
  bytes.reserve(length + 7);
  while (bytes.size() < length) PutFixed64(&bytes, Next());
  bytes.resize(length);
  return bytes;
}

}  // namespace shale
