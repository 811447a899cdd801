// A small pseudo-random generator that gives the same values from the same
// seed on every platform: xoshiro256**, seeded by splitmix64 (Blackman and
// Vigna, "Scrambled linear pseudorandom number generators", 2018). For tests,
// sampling and jitter; not for secrets.
#ifndef SHALE_BASE_RANDOM_H_
#define SHALE_BASE_RANDOM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "shale/base/cxx_standard.h"

namespace shale {

// Not thread-safe. A copy continues with the same values.
class Random {
 public:
  // Any seed will do, zero too.
  explicit Random(uint64_t seed);

  // All 64 bits are random.
  uint64_t Next();
  // Evenly distributed over [0, n). REQUIRES: n > 0.
  uint64_t Uniform(uint64_t n);
  // True once in n times on average. REQUIRES: n > 0.
  bool OneIn(uint64_t n) { return Uniform(n) == 0; }
  // Evenly distributed over [0, 1).
  double Fraction();
  // A value in [0, 2^max_bits) whose length in bits is evenly distributed, so
  // that small values are common. REQUIRES: 0 <= max_bits <= 63.
  uint64_t Skewed(int max_bits);
  // `length` random bytes of any value.
  std::string Bytes(size_t length);

 private:
  std::array<uint64_t, 4> state_;
};

}  // namespace shale

#endif  // SHALE_BASE_RANDOM_H_
