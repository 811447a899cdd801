// A Bloom filter over a range of a store file's rows or columns, small enough
// to be one block (Bloom, "Space/time trade-offs in hash coding with allowable
// errors", 1970), with two hashes in place of many (Kirsch and Mitzenmacher,
// "Less hashing, same performance", 2006).
//
//   chunk := probes:u8 bits:byte{64..}
//
// A key sets the bits (h1 + i*h2 mod 2^32) * n / 2^32, 0 <= i < probes, of n =
// 8 * bytes; bit b is bit b%8 of byte b/8. h1 and h2 are the low and the high
// half of the key's BloomHash, h2 with its lowest bit set.
#ifndef SHALE_STOREFILE_BLOOM_H_
#define SHALE_STOREFILE_BLOOM_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "shale/storefile/bloom_kind.h"

namespace shale {

// A hash that will never change, since it is on disk. For each 8 bytes of
// `bytes`, as little-endian w, the last filled up with zeros:
//
//   h = mix(h ^ w), at first h = mix(0x9e3779b97f4a7c15 + length)
//
// where mix is the finalizer of splitmix64 (Steele, Lea and Flood, "Fast
// splittable pseudorandom number generators", 2014; Stafford's variant 13).
uint64_t BloomHash(absl::string_view bytes);

// The part of an encoded cell key that a bloom of that kind is about: with it
// begin all keys of the row, or of the column of the row, and no others.
// REQUIRES: IsComparableCellKey(key), kind is not kNone.
absl::string_view BloomPrefix(BloomKind kind, absl::string_view key);

// The key by which a bloom's index is asked for that row or column: no key of
// it is smaller. REQUIRES: as above.
std::string BloomSeekKey(BloomKind kind, absl::string_view key);

// The shape of a filter whose share of false positives is about `error_rate`.
struct BloomShape {
  double bits_per_key = 0;
  int probes = 0;
};
// REQUIRES: 0 < error_rate < 1.
BloomShape BloomShapeFor(double error_rate);

// The chunk of keys with these hashes.
std::string BuildBloomChunk(absl::Span<const uint64_t> hashes,
                            const BloomShape& shape);

// Whether a key with that hash may be in the chunk. DATA_LOSS if it is none.
absl::StatusOr<bool> BloomChunkMayContain(absl::string_view chunk,
                                          uint64_t hash);

}  // namespace shale

#endif  // SHALE_STOREFILE_BLOOM_H_
