#include "text/sentencepiece_check.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/characters.h"

namespace minibert {
namespace {

// Field numbers of sentencepiece_model.proto.
constexpr uint64_t kPiecesField = 1, kNormalizerSpec = 3, kDenormalizerSpec = 5;
constexpr uint64_t kPieceText = 1, kPieceScore = 2;
constexpr uint64_t kCharsmap = 2;
// SentencePiece's buffer for the matches of one normalization step.
constexpr int kMaxMatches = 32;

// The fields of one protobuf message, in order.
class Message {
 public:
  explicit Message(std::string_view bytes) : rest_(bytes) {}

  // False at the end and on an error.
  bool next() {
    if (rest_.empty()) return false;
    uint64_t key = 0, value = 0;
    ok_ = varint(&key);
    field_ = key >> 3;
    wire_ = static_cast<int>(key & 7);
    if (!ok_ || field_ == 0) return ok_ = false;
    switch (wire_) {
      case 0:
        return ok_ = varint(&value);
      case 1:
        return ok_ = take(8);
      case 2:
        return ok_ = varint(&value) && take(value);
      case 5:
        return ok_ = take(4);
      default:
        return ok_ = false;
    }
  }
  bool ok() const { return ok_; }
  bool is(uint64_t field, int wire) const { return field_ == field && wire_ == wire; }
  std::string_view bytes() const { return bytes_; }

 private:
  bool varint(uint64_t* value) {
    for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const uint8_t byte = static_cast<uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      *value |= uint64_t(byte & 0x7f) << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }
  bool take(uint64_t size) {
    if (size > rest_.size()) return false;
    bytes_ = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }
  std::string_view rest_, bytes_;
  uint64_t field_ = 0;
  int wire_ = 0;
  bool ok_ = true;
};

// A Darts-clone double array: each unit has a label, an offset to its children and perhaps a leaf.
class DoubleArray {
 public:
  explicit DoubleArray(std::string_view bytes) : units_(bytes.size() / 4) {
    std::memcpy(units_.data(), bytes.data(), units_.size() * 4);
  }

  // Returns true if every walk from the root stays inside, ends, meets at most kMaxMatches leaves,
  // and finds only values below `values`.
  bool safe(size_t values) const {
    if (units_.empty()) return false;
    // Depth-first; matches[u] is the most leaves on a walk below u, once u is done.
    std::vector<int8_t> matches(units_.size(), kNew);
    struct Step {
      uint32_t unit;
      uint32_t base;
      uint32_t next_label;
      int most;
    };
    std::vector<Step> path;
    const auto enter = [&](uint32_t unit) {
      const uint32_t base = unit ^ offset(units_[unit]);
      if ((base | 0xffu) >= units_.size()) return false;
      if (has_leaf(units_[unit]) && value(units_[base]) >= values) return false;
      matches[unit] = kOnPath;
      path.push_back({unit, base, 0, 0});
      return true;
    };
    if (!enter(0)) return false;
    while (!path.empty()) {
      Step& step = path.back();
      if (step.next_label == 256) {
        const int total = step.most + (has_leaf(units_[step.unit]) ? 1 : 0);
        if (total > kMaxMatches) return false;
        matches[step.unit] = static_cast<int8_t>(total);
        path.pop_back();
        if (!path.empty() && path.back().most < total) path.back().most = total;
        continue;
      }
      const uint32_t label = step.next_label++;
      const uint32_t child = step.base ^ label;
      if ((units_[child] & 0x800000ffu) != label) continue;
      if (matches[child] == kOnPath) return false;
      if (matches[child] != kNew) {
        if (step.most < matches[child]) step.most = matches[child];
      } else if (!enter(child)) {
        return false;
      }
    }
    return true;
  }

 private:
  static constexpr int8_t kNew = -1, kOnPath = -2;
  static uint32_t offset(uint32_t unit) { return (unit >> 10) << ((unit & (1u << 9)) >> 6); }
  static bool has_leaf(uint32_t unit) { return ((unit >> 8) & 1) != 0; }
  static size_t value(uint32_t unit) { return unit & 0x7fffffffu; }
  std::vector<uint32_t> units_;
};

// uint32 size of the double array, the double array, the replacements it points to (each ends in
// 0).
std::string charsmap_problem(std::string_view bytes) {
  if (bytes.empty()) return {};
  uint32_t size = 0;
  if (bytes.size() < sizeof(size)) return "its normalization table is cut short";
  std::memcpy(&size, bytes.data(), sizeof(size));
  bytes.remove_prefix(sizeof(size));
  if (size % 4 != 0 || size >= bytes.size() || bytes.back() != '\0')
    return "its normalization table does not fit its sizes";
  if (!is_utf8(bytes.substr(size))) return "its normalization table is not UTF-8";
  if (!DoubleArray(bytes.substr(0, size)).safe(bytes.size() - size))
    return "its normalization table points outside itself";
  return {};
}

std::string normalizer_problem(std::string_view bytes) {
  Message message(bytes);
  while (message.next())
    if (message.is(kCharsmap, 2)) {
      std::string problem = charsmap_problem(message.bytes());
      if (!problem.empty()) return problem;
    }
  return message.ok() ? "" : "a broken normalizer";
}

std::string piece_problem(std::string_view bytes) {
  Message message(bytes);
  bool named = false;
  while (message.next()) {
    if (message.is(kPieceText, 2)) {
      const std::string_view text = message.bytes();
      if (text.empty() || text.find('\0') != std::string_view::npos || !is_utf8(text))
        return "a piece that is empty, not UTF-8, or has a NUL";
      named = true;
    } else if (message.is(kPieceScore, 5)) {
      float score = 0;
      std::memcpy(&score, message.bytes().data(), sizeof(score));
      if (!std::isfinite(score)) return "a score that is not finite";
    }
  }
  return message.ok() && named ? "" : "a broken piece";
}

}  // namespace

std::string sentencepiece_problem(std::string_view serialized_model) {
  Message message(serialized_model);
  size_t pieces = 0;
  while (message.next()) {
    std::string problem;
    if (message.is(kPiecesField, 2)) {
      problem = piece_problem(message.bytes());
      ++pieces;
    } else if (message.is(kNormalizerSpec, 2) || message.is(kDenormalizerSpec, 2)) {
      problem = normalizer_problem(message.bytes());
    }
    if (!problem.empty()) return problem;
  }
  if (!message.ok()) return "it is cut short, or no protobuf message";
  return pieces > 0 ? "" : "it has no pieces";
}

}  // namespace minibert
