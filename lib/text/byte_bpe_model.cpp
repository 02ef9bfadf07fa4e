// Byte-level BPE: the words of GPT-2's expression, joined byte by byte.
#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/error.h"
#include "core/utf8.h"
#include "text/byte_bpe_file.h"
#include "text/byte_words.h"
#include "text/pair_table.h"
#include "text/piece_model.h"
#include "text/text_hash.h"
#include "text/written_specials.h"

namespace minibert {
namespace {

constexpr std::string_view kShownSpace = "\u2581";  // ▁
constexpr std::string_view kReplacement = "\ufffd";

bool is_continuation(char byte) { return (static_cast<uint8_t>(byte) & 0xc0) == 0x80; }

// Returns the bytes of the longest incomplete character at the front of a text, at least 1;
// Python's and Rust's decoders replace them by one U+FFFD.
size_t broken_character(std::string_view text) {
  const auto lead = static_cast<uint8_t>(text[0]);
  const size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return 1;
  const uint8_t lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const uint8_t highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (text.size() < 2) return 1;
  if (const auto second = static_cast<uint8_t>(text[1]); second < lowest || second > highest)
    return 1;
  size_t size = 2;
  while (size < std::min(length, text.size()) && is_continuation(text[size])) ++size;
  return size;
}

// Can be shown to a reader: whole characters, no control ones and no ▁, which stands for a space.
bool is_visible_text(const std::string& bytes) {
  if (first_invalid_utf8(bytes) != kValid) return false;
  return std::ranges::none_of(to_code_points(bytes), [](char32_t c) {
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == U'\u2581';
  });
}

std::string with_shown_spaces(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == ' ') {
      out += kShownSpace;
    } else {
      out += c;
    }
  }
  return out;
}

class ByteBpeModel : public PieceModel {
 public:
  explicit ByteBpeModel(ByteBpe bpe);

  std::vector<int32_t> encode(std::string_view text) const override;
  std::vector<AlignedPiece> encode_aligned(std::string_view text) const override;
  std::vector<NamedPiece> encode_named(std::string_view text) const override;
  std::string decode(const std::vector<int32_t>& ids) const override;
  int32_t size() const override { return static_cast<int32_t>(bytes_.size()); }
  const std::string& piece(int32_t id) const override { return bpe_.pieces[index(id)]; }
  int32_t id(std::string_view piece) const override {
    const auto found = ids_.find(piece);
    return found == ids_.end() ? kUnk : found->second;
  }
  float score(int32_t id) const override { return scores_[index(id)]; }
  bool starts_word(int32_t id) const override {
    return !is_special(id) && bytes_[index(id)].starts_with(' ');
  }
  bool is_special(int32_t id) const override { return id < kFirstOrdinaryPiece; }
  const SpecialPieces& special() const override { return special_; }
  const std::string& readable(int32_t id) const override { return readable_[index(id)]; }
  bool is_text(int32_t id) const override { return is_text_[index(id)]; }
  int32_t lone_space() const override { return byte_ids_[' ']; }
  const std::vector<PieceMerge>& merges() const override { return bpe_.merges; }

 private:
  static size_t index(int32_t id) { return static_cast<size_t>(id); }
  void add_piece(int32_t id);

  // Calls use(at, ids) for the words and special pieces of `text`, from left to right; `at` is the
  // byte of the text where the ids' bytes begin, -1 of the space that is put before it.
  template <class Use>
  void for_each_word(std::string_view text, Use use) const;

  ByteBpe bpe_;
  std::vector<std::string> bytes_, readable_;
  std::vector<bool> is_text_;
  std::vector<float> scores_;
  std::unordered_map<std::string, int32_t, TextHash, std::equal_to<>> ids_;
  std::array<int32_t, 256> byte_ids_{};
  std::vector<WrittenSpecial> specials_;
  SpecialPieces special_;
  PairTable pairs_;
};

ByteBpeModel::ByteBpeModel(ByteBpe bpe) : bpe_(std::move(bpe)) {
  for (size_t id = 0; id < bpe_.pieces.size(); ++id) add_piece(static_cast<int32_t>(id));
  std::vector<RankedPair> pairs;
  for (const auto& [left, right] : bpe_.merges) {
    const int32_t joined = id(piece(left) + piece(right));
    const auto rank = static_cast<int32_t>(pairs.size());
    pairs.push_back({left, right, rank, joined});
    if (scores_[index(joined)] == 0) scores_[index(joined)] = -static_cast<float>(rank);
  }
  pairs_ = PairTable(pairs);
}

void ByteBpeModel::add_piece(int32_t id) {
  const bool is_word = !is_special(id);
  const std::string& written = piece(id);
  ids_.emplace(written, id);
  scores_.push_back(0);
  bytes_.push_back(is_word ? bytes_of_letters(written) : written);
  const std::string& bytes = bytes_.back();
  is_text_.push_back(is_word && is_visible_text(bytes));
  readable_.push_back(is_text_.back() ? with_shown_spaces(bytes) : written);
  if (!is_word) specials_.push_back({written, id});
  if (is_word && bytes.size() == 1) byte_ids_[static_cast<uint8_t>(bytes[0])] = id;
}

template <class Use>
void ByteBpeModel::for_each_word(std::string_view text, Use use) const {
  if (const size_t bad = first_invalid_utf8(text); bad != kValid)
    throw Error("cannot encode a text: not valid UTF-8 at byte " + std::to_string(bad));
  std::string after_space;
  std::vector<std::string_view> words;
  std::vector<int32_t> symbols;
  for (const TextPart& part : parts_of(text, specials_)) {
    int64_t at = part.begin;
    if (part.special >= 0) {
      use(at, std::span(&part.special, 1));
      continue;
    }
    std::string_view rest = part.text;
    if (at == 0 && bpe_.space_first && !rest.starts_with(' ')) {
      after_space = " ";
      after_space += rest;
      rest = after_space;
      at = -1;
    }
    words.clear();
    append_byte_words(rest, &words);
    for (const std::string_view word : words) {
      symbols.clear();
      for (const char byte : word) symbols.push_back(byte_ids_[static_cast<uint8_t>(byte)]);
      use(at, std::span<const int32_t>(symbols).first(pairs_.join(symbols)));
      at += static_cast<int64_t>(word.size());
    }
  }
}

std::vector<int32_t> ByteBpeModel::encode(std::string_view text) const {
  std::vector<int32_t> out;
  out.reserve(text.size() / 3);
  for_each_word(text, [&](int64_t, std::span<const int32_t> ids) {
    out.insert(out.end(), ids.begin(), ids.end());
  });
  return out;
}

std::vector<AlignedPiece> ByteBpeModel::encode_aligned(std::string_view text) const {
  std::vector<AlignedPiece> out;
  for_each_word(text, [&](int64_t at, std::span<const int32_t> ids) {
    for (const int32_t id : ids) {
      auto begin = static_cast<size_t>(std::max<int64_t>(at, 0));
      at += static_cast<int64_t>(bytes_[index(id)].size());
      auto end = static_cast<size_t>(at);
      const size_t first = std::min(text.find_first_not_of(' ', begin), end);
      if (first == end) {
        end = begin;
      } else {
        begin = first;
        while (is_continuation(text[begin])) --begin;
        while (end < text.size() && is_continuation(text[end])) ++end;
      }
      out.push_back({id, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
    }
  });
  return out;
}

std::vector<NamedPiece> ByteBpeModel::encode_named(std::string_view text) const {
  std::vector<NamedPiece> out;
  for (const AlignedPiece& piece : encode_aligned(text))
    out.push_back({readable(piece.id), piece.id, piece.begin, piece.end});
  return out;
}

std::string ByteBpeModel::decode(const std::vector<int32_t>& ids) const {
  std::string bytes;
  for (const int32_t id : ids) bytes += bytes_[index(id)];
  std::string_view rest = bytes;
  if (bpe_.space_first && rest.starts_with(' ')) rest.remove_prefix(1);
  std::string text;
  for (;;) {
    const size_t bad = first_invalid_utf8(rest);
    text += rest.substr(0, bad);
    if (bad == kValid) return text;
    rest.remove_prefix(bad);
    text += kReplacement;
    rest.remove_prefix(broken_character(rest));
  }
}

}  // namespace

std::unique_ptr<const PieceModel> load_byte_bpe(std::string_view json, const std::string& name) {
  return std::make_unique<ByteBpeModel>(read_tokenizer_json(json, name));
}

}  // namespace minibert
