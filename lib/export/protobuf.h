// Writes protocol buffers, as far as exported files need them: fields of plain numbers and of bytes
// (https://protobuf.dev/programming-guides/encoding). A message is its fields in a row; inside
// another message it is a field of bytes.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace minibert::protobuf {

static_assert(std::endian::native == std::endian::little, "values are copied as they lie");

// Returns the bytes of numbers, as in fixed32 and fixed64 fields and arrays.
template <class T>
std::string bytes_of(const T* values, size_t count) {
  return {reinterpret_cast<const char*>(values), count * sizeof(T)};
}
template <class T>
std::string bytes_of(T value) {
  return bytes_of(&value, 1);
}

inline std::string varint(uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}

enum class Wire : uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

inline std::string tag(int number, Wire wire) {
  return varint(static_cast<uint64_t>(number) << 3 | static_cast<uint64_t>(wire));
}

// Writes int64, int32, uint64, bool and enum.
inline std::string number_field(int number, int64_t value) {
  return tag(number, Wire::varint) + varint(static_cast<uint64_t>(value));
}
inline std::string float_field(int number, float value) {
  return tag(number, Wire::fixed32) + bytes_of(value);
}
inline std::string double_field(int number, double value) {
  return tag(number, Wire::fixed64) + bytes_of(value);
}
// Writes what precedes the `size` bytes of a field of bytes.
inline std::string field_head(int number, uint64_t size) {
  return tag(number, Wire::bytes) + varint(size);
}
// Writes bytes, string and messages.
inline std::string bytes_field(int number, const std::string& bytes) {
  return field_head(number, bytes.size()) + bytes;
}

}  // namespace minibert::protobuf
