// Greedy longest match over a vocabulary of whole and continuing pieces.
#include <algorithm>
#include <unordered_map>

#include "core/error.h"
#include "text/bert_words.h"
#include "text/piece_model.h"
#include "text/text_hash.h"
#include "text/wordpiece_file.h"
#include "text/written_specials.h"

namespace minibert {
namespace {

constexpr std::string_view kFirstLine = "[PAD]";
constexpr std::string_view kContinues = "##";
constexpr size_t kLongestWord = 100;  // characters

using Ids = std::unordered_map<std::string, int32_t, TextHash, std::equal_to<>>;

class WordPieceModel : public PieceModel {
 public:
  WordPieceModel(WordPieceFile file, const std::string& name);

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
  int32_t special_id(std::string_view piece, const std::string& name) const;
  void append_plain(std::string_view text, uint32_t offset, std::vector<NamedPiece>* out) const;
  void append_word(const BertWord& word, uint32_t offset, std::vector<NamedPiece>* out) const;

  std::vector<std::string> pieces_;
  Ids ids_;             // of every piece
  Ids continues_;       // pieces that continue a word, without "##"
  size_t longest_ = 0;  // bytes of the longest piece
  SpecialPieces special_;
  std::vector<WrittenSpecial> written_;
  BertTreatment treatment_;
};

WordPieceModel::WordPieceModel(WordPieceFile file, const std::string& name)
    : pieces_(std::move(file.pieces)), treatment_(file.treatment) {
  for (int32_t id = 0; id < size(); ++id) {
    const std::string& text = piece(id);
    ids_.emplace(text, id);
    if (text.starts_with(kContinues)) continues_.emplace(text.substr(kContinues.size()), id);
    longest_ = std::max(longest_, text.size());
  }
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
  for (const BertWord& word : bert_words(text, treatment_)) append_word(word, offset, out);
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

bool is_wordpiece_vocabulary(std::string_view bytes) {
  if (!bytes.starts_with(kFirstLine)) return false;
  bytes.remove_prefix(kFirstLine.size());
  return bytes.starts_with('\n') || bytes.starts_with("\r\n");
}

std::unique_ptr<const PieceModel> load_wordpiece(std::string_view bytes, const std::string& name) {
  if (is_wordpiece_json(bytes))
    return std::make_unique<WordPieceModel>(read_wordpiece_json(bytes, name), name);
  WordPieceFile file{read_wordpiece_lines(bytes, name), {}};
  file.treatment = stored_treatment(file.pieces);
  return std::make_unique<WordPieceModel>(std::move(file), name);
}

}  // namespace minibert
