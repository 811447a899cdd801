#include "shale/base/coding.h"

#include <limits>

namespace shale {
namespace {

// Compilers turn these loops into one load or store (and a byte swap).
template <typename T>
void EncodeLittleEndian(char* out, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) {
    out[i] = static_cast<char>(value >> (8 * i));
  }
}

template <typename T>
T DecodeLittleEndian(const char* in) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) {
    value |= static_cast<T>(static_cast<uint8_t>(in[i])) << (8 * i);
  }
  return value;
}

template <typename T>
void PutLittleEndian(std::string* out, T value) {
  char bytes[sizeof(T)];
  EncodeLittleEndian(bytes, value);
  out->append(bytes, sizeof(T));
}

template <typename T>
bool ReadLittleEndian(Decoder& decoder, T* value) {
  absl::string_view bytes;
  if (!decoder.ReadBytes(sizeof(T), &bytes)) return false;
  *value = DecodeLittleEndian<T>(bytes.data());
  return true;
}

}  // namespace

void EncodeFixed32(char* out, uint32_t value) {
  EncodeLittleEndian(out, value);
}

void EncodeFixed64(char* out, uint64_t value) {
  EncodeLittleEndian(out, value);
}

void EncodeBigEndian64(char* out, uint64_t value) {
  for (size_t i = 0; i < sizeof(value); ++i) {
    out[i] = static_cast<char>(value >> (56 - 8 * i));
  }
}

uint32_t DecodeFixed32(const char* in) {
  return DecodeLittleEndian<uint32_t>(in);
}

uint64_t DecodeFixed64(const char* in) {
  return DecodeLittleEndian<uint64_t>(in);
}

uint64_t DecodeBigEndian64(const char* in) {
  uint64_t value = 0;
  for (size_t i = 0; i < sizeof(value); ++i) {
    value = value << 8 | static_cast<uint8_t>(in[i]);
  }
  return value;
}

void PutFixed8(std::string* out, uint8_t value) {
  out->push_back(static_cast<char>(value));
}

void PutFixed32(std::string* out, uint32_t value) {
  PutLittleEndian(out, value);
}

void PutFixed64(std::string* out, uint64_t value) {
  PutLittleEndian(out, value);
}

void PutBigEndian64(std::string* out, uint64_t value) {
  char bytes[sizeof(value)];
  EncodeBigEndian64(bytes, value);
  out->append(bytes, sizeof(bytes));
}

void PutVarint64(std::string* out, uint64_t value) {
  char bytes[kMaxVarint64Bytes];
  size_t length = 0;
  while (value >= 0x80) {
    bytes[length++] = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  bytes[length++] = static_cast<char>(value);
  out->append(bytes, length);
}

void PutLengthPrefixed(std::string* out, absl::string_view bytes) {
  PutVarint64(out, bytes.size());
  out->append(bytes.data(), bytes.size());
}

size_t VarintBytes(uint64_t value) {
  size_t length = 1;
  while (value >= 0x80) {
    value >>= 7;
    ++length;
  }
  return length;
}

bool Decoder::ReadFixed8(uint8_t* value) {
  return ReadLittleEndian(*this, value);
}

bool Decoder::ReadFixed32(uint32_t* value) {
  return ReadLittleEndian(*this, value);
}

bool Decoder::ReadFixed64(uint64_t* value) {
  return ReadLittleEndian(*this, value);
}

bool Decoder::ReadBigEndian64(uint64_t* value) {
  absl::string_view bytes;
  if (!ReadBytes(sizeof(*value), &bytes)) return false;
  *value = DecodeBigEndian64(bytes.data());
  return true;
}

bool Decoder::ReadVarint64(uint64_t* value) {
  if (failed_) return false;
  uint64_t result = 0;
  for (size_t i = 0; i < kMaxVarint64Bytes && i < remaining(); ++i) {
    const uint8_t byte = static_cast<uint8_t>(input_[offset_ + i]);
    // Of the tenth byte only the lowest bit still fits.
    if (i == kMaxVarint64Bytes - 1 && byte > 1) return Fail();
    result |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if (byte >= 0x80) continue;
    if (byte == 0 && i > 0) return Fail();  // Longer than need be.
    offset_ += i + 1;
    *value = result;
    return true;
  }
  return Fail();
}

bool Decoder::ReadVarint32(uint32_t* value) {
  const size_t start = offset_;
  uint64_t wide;
  if (!ReadVarint64(&wide)) return false;
  if (wide > std::numeric_limits<uint32_t>::max()) {
    offset_ = start;
    return Fail();
  }
  *value = static_cast<uint32_t>(wide);
  return true;
}

bool Decoder::ReadBytes(size_t length, absl::string_view* bytes) {
  if (failed_ || length > remaining()) return Fail();
  *bytes = input_.substr(offset_, length);
  offset_ += length;
  return true;
}

bool Decoder::ReadLengthPrefixed(absl::string_view* bytes) {
  const size_t start = offset_;
  uint64_t length;
  if (!ReadVarint64(&length)) return false;
  if (!ReadBytes(length, bytes)) {
    offset_ = start;
    return false;
  }
  return true;
}

bool Decoder::Skip(size_t length) {
  absl::string_view skipped;
  return ReadBytes(length, &skipped);
}

bool Decoder::Fail() {
  failed_ = true;
  return false;
}

}  // namespace shale
