// Integers and byte strings as bytes. Fixed-width integers are little-endian
// unless the name says big-endian (whose byte order is their numeric order);
// varints are unsigned LEB128 in the shortest form. All functions are pure.
#ifndef SHALE_BASE_CODING_H_
#define SHALE_BASE_CODING_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "shale/base/cxx_standard.h"

namespace shale {

// The longest varint: 64 bits, 7 in each byte.
inline constexpr size_t kMaxVarint64Bytes = 10;

// Write exactly 4 or 8 bytes at `out`.
void EncodeFixed32(char* out, uint32_t value);
void EncodeFixed64(char* out, uint64_t value);
void EncodeBigEndian64(char* out, uint64_t value);

// Read exactly 4 or 8 bytes at `in`, which need not be aligned.
uint32_t DecodeFixed32(const char* in);
uint64_t DecodeFixed64(const char* in);
uint64_t DecodeBigEndian64(const char* in);

// Append to `*out`.
void PutFixed8(std::string* out, uint8_t value);
void PutFixed32(std::string* out, uint32_t value);
void PutFixed64(std::string* out, uint64_t value);
void PutBigEndian64(std::string* out, uint64_t value);
void PutVarint64(std::string* out, uint64_t value);
// The length as a varint, then the bytes.
void PutLengthPrefixed(std::string* out, absl::string_view bytes);

// How many bytes PutVarint64 appends for `value`: 1 to 10.
size_t VarintBytes(uint64_t value);

// Reads what the functions above wrote, front to back, and never past the end
// of its input. The first read that fails makes all later ones fail, so that a
// caller may check once, after the last:
//
//   Decoder in(bytes);
//   uint64_t count;
//   absl::string_view name;
//   if (!in.ReadVarint64(&count) || !in.ReadLengthPrefixed(&name)) {
//     return absl::DataLossError(absl::StrCat("bad header at ", in.offset()));
//   }
//
// A failed read leaves its out-parameter alone. Views that it returns point
// into the input and live as long as that. Not thread-safe.
class Decoder {
 public:
  explicit Decoder(absl::string_view input) : input_(input) {}

  bool ReadFixed8(uint8_t* value);
  bool ReadFixed32(uint32_t* value);
  bool ReadFixed64(uint64_t* value);
  bool ReadBigEndian64(uint64_t* value);
  // Fails also for a value above 2^64-1 and for one that is not in its
  // shortest form: one value has one encoding.
  bool ReadVarint64(uint64_t* value);
  // Fails also for a value above 2^32-1.
  bool ReadVarint32(uint32_t* value);
  // The next `length` bytes.
  bool ReadBytes(size_t length, absl::string_view* bytes);
  bool ReadLengthPrefixed(absl::string_view* bytes);
  bool Skip(size_t length);

  // Whether any read so far has failed.
  bool failed() const { return failed_; }
  // The bytes not yet read.
  size_t remaining() const { return input_.size() - offset_; }
  // How many bytes were read; after a failure, where the failed item began.
  size_t offset() const { return offset_; }

 private:
  bool Fail();

  absl::string_view input_;
  size_t offset_ = 0;
  bool failed_ = false;
};

}  // namespace shale

#endif  // SHALE_BASE_CODING_H_
