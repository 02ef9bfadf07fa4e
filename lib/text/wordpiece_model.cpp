// Greedy longest match over a vocabulary of whole and continuing pieces.
#include <algorithm>
#include <unordered_map>

#include "core/error.h"
#include "core/utf8.h"
#include "text/bert_words.h"
#include "text/piece_model.h"
#include "text/python_text.h"
#include "text/text_hash.h"
#include "text/wordpiece.h"
#include "text/written_specials.h"

namespace minibert {
namespace {

constexpr std::string_view kContinues = "##";
constexpr size_t kLongestWord = 100;  // characters

using Ids = std::unordered_map<std::string, int32_t, TextHash, std::equal_to<>>;

class WordPieceModel : public PieceModel {
 public:
  WordPieceModel(std::string_view bytes, const std::string& name);

  std::vector<int32_t> encode(std::string_view text) const override {
    std::vector<int32_t> ids;
    for (const NamedPiece& piece : encode_named(text)) ids.push_back(piece.id);
    return ids;
  }
  std::vector<AlignedPiece> encode_aligned(std::string_view text) const override {
    std::vector<AlignedPiece> pieces;
    for (const NamedPiece& piece : encode_named(text))
      pieces.push_back({piece.id, piece.begin, piece.end});
    return pieces;
  }
  std::vector<NamedPiece> encode_named(std::string_view text) const override;
  std::string decode(const std::vector<int32_t>& ids) const override;
  int32_t size() const override { return static_cast<int32_t>(pieces_.size()); }
  const std::string& piece(int32_t id) const override { return pieces_[static_cast<size_t>(id)]; }
  int32_t id(std::string_view piece) const override;
  float score(int32_t) const override { return 0; }
  bool starts_word(int32_t id) const override {
    return !is_special(id) && !piece(id).starts_with(kContinues);
  }
  bool is_special(int32_t id) const override {
    return id == special_.pad || id == special_.unk || id == special_.cls || id == special_.sep ||
           id == special_.mask;
  }
  const SpecialPieces& special() const override { return special_; }

 private:
  void read(std::string_view vocabulary, const std::string& name);
  int32_t special_id(std::string_view piece, const std::string& name) const;
  void append_plain(std::string_view text, uint32_t offset, std::vector<NamedPiece>* out) const;
  void append_word(const BertWord& word, uint32_t offset, std::vector<NamedPiece>* out) const;

  std::vector<std::string> pieces_;
  Ids ids_;             // of every piece
  Ids continues_;       // of those that continue a word, without "##"
  size_t longest_ = 0;  // bytes of the longest piece
  SpecialPieces special_;
  std::vector<WrittenSpecial> written_;
  WordPieceCasing casing_;
};

WordPieceModel::WordPieceModel(std::string_view bytes, const std::string& name)
    : casing_(casing_of(bytes)) {
  read(vocabulary_of(bytes), name);
  special_ = {.pad = special_id("[PAD]", name),
              .unk = special_id("[UNK]", name),
              .cls = special_id("[CLS]", name),
              .sep = special_id("[SEP]", name),
              .mask = special_id("[MASK]", name)};
  if (special_.pad != 0)
    throw Error(name + ":" + std::to_string(special_.pad + 1) +
                ": found [PAD], expected it on the first line");
  for (const int32_t id : {special_.pad, special_.unk, special_.cls, special_.sep, special_.mask})
    written_.push_back({piece(id), id});
}

void WordPieceModel::read(std::string_view vocabulary, const std::string& name) {
  while (!vocabulary.empty()) {
    const size_t end = std::min(vocabulary.find('\n'), vocabulary.size());
    std::string piece(vocabulary.substr(0, end));
    vocabulary.remove_prefix(std::min(end + 1, vocabulary.size()));
    if (piece.ends_with('\r')) piece.pop_back();
    const auto fail = [&](const std::string& what) {
      throw Error(name + ":" + std::to_string(pieces_.size() + 1) + ": " + what);
    };
    if (piece.empty()) fail("is empty, expected a piece");
    if (first_invalid_utf8(piece) != kValid) fail("not valid UTF-8");
    const auto id = static_cast<int32_t>(pieces_.size());
    if (const auto [found, is_new] = ids_.emplace(piece, id); !is_new)
      fail("the piece " + piece + " stands in line " + std::to_string(found->second + 1) + " too");
    if (piece.starts_with(kContinues)) continues_.emplace(piece.substr(kContinues.size()), id);
    longest_ = std::max(longest_, piece.size());
    pieces_.push_back(std::move(piece));
  }
}

int32_t WordPieceModel::special_id(std::string_view piece, const std::string& name) const {
  const auto found = ids_.find(piece);
  if (found == ids_.end())
    throw Error(name + ": has no piece " + std::string(piece) +
                ", expected a WordPiece vocabulary");
  return found->second;
}

std::vector<NamedPiece> WordPieceModel::encode_named(std::string_view text) const {
  std::vector<NamedPiece> out;
  for (const TextPart& part : parts_of(text, written_)) {
    const auto end = part.begin + static_cast<uint32_t>(part.text.size());
    if (part.special >= 0)
      out.push_back({piece(part.special), part.special, part.begin, end});
    else
      append_plain(part.text, part.begin, &out);
  }
  return out;
}

void WordPieceModel::append_plain(std::string_view text, uint32_t offset,
                                  std::vector<NamedPiece>* out) const {
  for (const BertWord& word : bert_words(text, casing_)) append_word(word, offset, out);
}

// `offset`: of the text that the word's alignment is relative to.
void WordPieceModel::append_word(const BertWord& word, uint32_t offset,
                                 std::vector<NamedPiece>* out) const {
  const auto& characters = word.characters;
  const size_t count = characters.size(), before = out->size();
  const auto byte = [&](size_t i) { return i < count ? characters[i].at : word.text.size(); };
  const auto bytes_of = [&](size_t first, size_t last) {
    return std::pair(offset + characters[first].begin, offset + characters[last - 1].end);
  };
  bool known = count <= kLongestWord;
  for (size_t first = 0; known && first < count;) {
    const Ids& ids = first == 0 ? ids_ : continues_;
    size_t last = count;
    auto found = ids.end();
    for (; last > first && found == ids.end(); --last)
      if (byte(last) - byte(first) <= longest_)
        found = ids.find(std::string_view(word.text).substr(byte(first), byte(last) - byte(first)));
    known = found != ids.end();
    if (!known) break;
    ++last;  // the loop went one step on
    const auto [begin, end] = bytes_of(first, last);
    out->push_back({piece(found->second), found->second, begin, end});
    first = last;
  }
  if (known) return;
  out->resize(before);
  const auto [begin, end] = bytes_of(0, count);
  out->push_back({word.text, special_.unk, begin, end});
}

std::string WordPieceModel::decode(const std::vector<int32_t>& ids) const {
  std::string text;
  for (const int32_t id : ids) {
    std::string_view piece = pieces_[static_cast<size_t>(id)];
    if (piece.starts_with(kContinues) && !text.empty()) {
      piece.remove_prefix(kContinues.size());
    } else if (!text.empty()) {
      text += ' ';
    }
    text += piece;
  }
  return text;
}

int32_t WordPieceModel::id(std::string_view piece) const {
  const auto found = ids_.find(piece);
  return found == ids_.end() ? special_.unk : found->second;
}

}  // namespace

std::unique_ptr<const PieceModel> load_wordpiece(std::string_view bytes, const std::string& name) {
  return std::make_unique<WordPieceModel>(bytes, name);
}

}  // namespace minibert
