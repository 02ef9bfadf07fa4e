// Protocol buffers' wire format, as far as the model's fields need it.
#include "text/sentencepiece_file.h"

#include <cstring>

#include "core/error.h"

namespace minibert {
namespace {

// Calls use(field, number, bytes) for the fields of a message: `bytes` of a length-delimited one,
// `number` the bits of any other.
class MessageReader {
 public:
  MessageReader(std::string_view bytes, const std::string& name) : rest_(bytes), name_(name) {}

  template <class Use>
  void read(Use use) {
    while (!rest_.empty()) {
      const uint64_t key = varint();
      const auto field = static_cast<int>(key >> 3);
      switch (key & 7) {
        case 0:
          use(field, varint(), std::string_view());
          break;
        case 1:
          use(field, fixed(8), std::string_view());
          break;
        case 2:
          use(field, uint64_t{0}, take(varint()));
          break;
        case 5:
          use(field, fixed(4), std::string_view());
          break;
        default:
          fail();
      }
    }
  }

 private:
  [[noreturn]] void fail() const { throw Error(name_ + ": not a SentencePiece model"); }
  std::string_view take(uint64_t size) {
    if (size > rest_.size()) fail();
    const std::string_view out = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return out;
  }
  uint64_t fixed(size_t size) {
    uint64_t bits = 0;
    std::memcpy(&bits, take(size).data(), size);
    return bits;
  }
  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<uint8_t>(take(1)[0]);
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    fail();
  }

  std::string_view rest_;
  const std::string& name_;
};

float as_float(uint64_t bits) {
  const auto low = static_cast<uint32_t>(bits);
  float value = 0;
  std::memcpy(&value, &low, sizeof value);
  return value;
}

}  // namespace

SentencePieceFile read_sentencepiece_file(std::string_view bytes, const std::string& name) {
  SentencePieceFile out;
  const auto read_piece = [&](std::string_view message) {
    SentencePieceFile::Piece& piece = out.pieces.emplace_back();
    MessageReader(message, name).read([&](int field, uint64_t number, std::string_view text) {
      if (field == 1) piece.text = text;
      if (field == 2) piece.score = as_float(number);
      if (field == 3) piece.type = static_cast<int>(number);
    });
  };
  const auto read_trainer = [&](std::string_view message) {
    MessageReader(message, name).read([&](int field, uint64_t number, std::string_view) {
      if (field == 3) out.model_type = static_cast<int>(number);
      if (field == 24) out.space_behind = number != 0;
      if (field == 35) out.byte_fallback = number != 0;
    });
  };
  const auto read_normalizer = [&](std::string_view message) {
    MessageReader(message, name).read([&](int field, uint64_t number, std::string_view text) {
      if (field == 1) out.normalization = text;
      if (field == 2) out.charsmap = text;
      if (field == 3) out.space_before_text = number != 0;
      if (field == 4) out.collapse_spaces = number != 0;
      if (field == 5) out.spaces_are_pieces = number != 0;
    });
  };
  MessageReader(bytes, name).read([&](int field, uint64_t, std::string_view message) {
    if (field == 1) read_piece(message);
    if (field == 2) read_trainer(message);
    if (field == 3) read_normalizer(message);
  });
  return out;
}

}  // namespace minibert
