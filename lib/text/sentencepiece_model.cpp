// A model over sentencepiece::SentencePieceProcessor.
#include <sentencepiece_processor.h>

#include "core/error.h"
#include "text/piece_model.h"
#include "text/sentencepiece_check.h"

// Exported by the library but declared in no installed header.
namespace sentencepiece::logging {
void SetMinLogLevel(int level);
}

namespace minibert {
namespace {

using sentencepiece::ImmutableSentencePieceText;

constexpr int kLogErrors = 2;

class SentencePieceModel : public PieceModel {
 public:
  SentencePieceModel(const std::string& bytes, const std::string& name);

  std::vector<int32_t> encode(std::string_view text) const override;
  std::vector<AlignedPiece> encode_aligned(std::string_view text) const override;
  std::vector<NamedPiece> encode_named(std::string_view text) const override;
  std::string decode(const std::vector<int32_t>& ids) const override;
  int32_t size() const override { return processor_.GetPieceSize(); }
  const std::string& piece(int32_t id) const override { return processor_.IdToPiece(id); }
  int32_t id(std::string_view piece) const override { return processor_.PieceToId(piece); }
  float score(int32_t id) const override { return processor_.GetScore(id); }
  bool starts_word(int32_t id) const override { return starts_word_[static_cast<size_t>(id)]; }
  bool is_special(int32_t id) const override { return id < kFirstOrdinaryPiece; }
  const SpecialPieces& special() const override { return special_; }
  bool is_text(int32_t id) const override { return !is_special(id) && !processor_.IsByte(id); }
  int32_t lone_space() const override {
    const int32_t found = processor_.PieceToId(kSpacePiece);
    return found == kUnk ? -1 : found;
  }

 private:
  const ImmutableSentencePieceText& encoded(std::string_view text) const;

  sentencepiece::SentencePieceProcessor processor_;
  std::string name_;
  std::vector<bool> starts_word_;
  SpecialPieces special_;
};

SentencePieceModel::SentencePieceModel(const std::string& bytes, const std::string& name)
    : name_(name) {
  sentencepiece::logging::SetMinLogLevel(kLogErrors);
  // An empty string parses as a message without fields, on which the processor would abort.
  if (bytes.empty()) throw Error(name + ": not a SentencePiece model: it is empty");
  const std::string problem = sentencepiece_problem(bytes);
  if (!problem.empty() || !processor_.LoadFromSerializedProto(bytes).ok() || size() == 0)
    throw Error(name + ": not a SentencePiece model" +
                (problem.empty() ? "" : " (" + problem + ")") +
                " nor a WordPiece vocabulary, whose first line is [PAD], nor a tokenizer.json");
  for (int32_t id = 0; id < kFirstOrdinaryPiece; ++id) {
    const std::string_view expected = kSpecialPieceNames[static_cast<size_t>(id)];
    if (id < size() && piece(id) == expected) continue;
    std::string message = name + ": piece " + std::to_string(id) + " is ";
    message += id < size() ? piece(id) : "missing";
    message += ", expected ";
    message += expected;
    throw Error(message);
  }
  for (int32_t id = 0; id < size(); ++id)
    starts_word_.push_back(piece(id).starts_with(kSpacePiece));
}

// Valid until this thread's next call: a message that is used again allocates next to nothing.
const ImmutableSentencePieceText& SentencePieceModel::encoded(std::string_view text) const {
  thread_local ImmutableSentencePieceText out;
  const auto status = processor_.Encode(text, out.mutable_proto());
  if (!status.ok()) throw Error(name_ + ": cannot encode a text: " + status.ToString());
  return out;
}

std::vector<int32_t> SentencePieceModel::encode(std::string_view text) const {
  const ImmutableSentencePieceText& found = encoded(text);
  std::vector<int32_t> ids(found.pieces_size());
  for (size_t i = 0; i < ids.size(); ++i)
    ids[i] = static_cast<int32_t>(found.pieces(static_cast<int>(i)).id());
  return ids;
}

std::vector<AlignedPiece> SentencePieceModel::encode_aligned(std::string_view text) const {
  const ImmutableSentencePieceText& found = encoded(text);
  std::vector<AlignedPiece> pieces(found.pieces_size());
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto piece = found.pieces(static_cast<int>(i));
    pieces[i] = {static_cast<int32_t>(piece.id()), piece.begin(), piece.end()};
  }
  return pieces;
}

std::vector<NamedPiece> SentencePieceModel::encode_named(std::string_view text) const {
  const ImmutableSentencePieceText& found = encoded(text);
  std::vector<NamedPiece> pieces(found.pieces_size());
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto piece = found.pieces(static_cast<int>(i));
    // Adjacent unknown characters come as one piece, whose joined text may be in the vocabulary.
    const auto id =
        piece.id() == kUnk ? processor_.PieceToId(piece.piece()) : static_cast<int>(piece.id());
    pieces[i] = {piece.piece(), id, piece.begin(), piece.end()};
  }
  return pieces;
}

std::string SentencePieceModel::decode(const std::vector<int32_t>& ids) const {
  std::string text;
  const auto status = processor_.Decode(ids, &text);
  if (!status.ok()) throw Error(name_ + ": cannot decode: " + status.ToString());
  return text;
}

}  // namespace

std::unique_ptr<const PieceModel> load_sentencepiece(const std::string& bytes,
                                                     const std::string& name) {
  return std::make_unique<SentencePieceModel>(bytes, name);
}

}  // namespace minibert
