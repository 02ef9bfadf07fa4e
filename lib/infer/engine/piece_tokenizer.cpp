#include "infer/engine/piece_tokenizer.h"

#include <sentencepiece_processor.h>

#include "core/characters.h"
#include "text/pieces.h"
#include "text/sentencepiece_check.h"

// Exported by the library but declared in no installed header.
namespace sentencepiece::logging {
void SetMinLogLevel(int level);
}

namespace minibert::infer {
namespace {

static_assert(kFirstOrdinaryId == kFirstOrdinaryPiece);
static_assert(kMaskText == kSpecialPieceNames[kMask]);
constexpr int kLogNothingBelowFatal = 3;

}  // namespace

struct PieceTokenizer::Impl {
  sentencepiece::SentencePieceProcessor processor;
};

uint32_t skip_spaces(std::string_view text, uint32_t begin, uint32_t end) {
  char32_t value = 0;
  for (size_t length = 0; begin < end; begin += static_cast<uint32_t>(length)) {
    length = decode_utf8(text, begin, &value);
    if (length == 0 || !is_sentencepiece_space(value)) break;
  }
  return begin;
}

PieceTokenizer::PieceTokenizer() : impl_(new Impl) {}
PieceTokenizer::~PieceTokenizer() = default;
PieceTokenizer::PieceTokenizer(PieceTokenizer&&) noexcept = default;
PieceTokenizer& PieceTokenizer::operator=(PieceTokenizer&&) noexcept = default;

Status PieceTokenizer::load(std::string_view serialized_model) {
  if (serialized_model.starts_with("[PAD]\n") || serialized_model.starts_with("[PAD]\r\n"))
    return Status::error("the tokenizer is a WordPiece vocabulary, expected a SentencePiece model");
  if (serialized_model.starts_with('{'))
    return Status::error("the tokenizer is a tokenizer.json, expected a SentencePiece model");
  if (const std::string problem = sentencepiece_problem(serialized_model); !problem.empty())
    return Status::error("the tokenizer is not a SentencePiece model: " + problem);
  sentencepiece::logging::SetMinLogLevel(kLogNothingBelowFatal);
  impl_.reset(new Impl);
  const auto status = impl_->processor.LoadFromSerializedProto(serialized_model);
  if (!status.ok())
    return Status::error("the tokenizer is not a SentencePiece model: " + status.ToString());
  for (int32_t id = 0; id < kFirstOrdinaryId; ++id) {
    const std::string found = id < size() ? piece(id) : "";
    if (found != kSpecialPieceNames[static_cast<size_t>(id)])
      return Status::error("the tokenizer's piece " + std::to_string(id) + ": found \"" + found +
                           "\", expected \"" +
                           std::string(kSpecialPieceNames[static_cast<size_t>(id)]) + "\"");
  }
  return {};
}

Status PieceTokenizer::encode(std::string_view text, std::vector<Token>* tokens) const {
  tokens->clear();
  if (!is_utf8(text)) return Status::error("the text is not valid UTF-8");
  sentencepiece::ImmutableSentencePieceText pieces;
  const auto status = impl_->processor.Encode(text, pieces.mutable_proto());
  if (!status.ok()) return Status::error("the text cannot be tokenized: " + status.ToString());
  for (size_t i = 0; i < pieces.pieces_size(); ++i) {
    const auto piece = pieces.pieces(static_cast<int>(i));
    tokens->push_back(
        {static_cast<int32_t>(piece.id()), piece.piece(), piece.begin(), piece.end()});
  }
  return {};
}

Status PieceTokenizer::encode_named(std::string_view text, std::vector<Token>* tokens) const {
  const Status status = encode(text, tokens);
  for (Token& token : *tokens)
    if (token.id == kUnknownId) token.id = id(token.piece);
  return status;
}

int32_t PieceTokenizer::id(std::string_view piece) const {
  return impl_->processor.PieceToId(piece);
}

int32_t PieceTokenizer::size() const { return impl_->processor.GetPieceSize(); }

const std::string& PieceTokenizer::piece(int32_t id) const {
  return impl_->processor.IdToPiece(id);
}

bool PieceTokenizer::is_text(int32_t id) const {
  return id >= kFirstOrdinaryId && !impl_->processor.IsControl(id) &&
         !impl_->processor.IsUnknown(id) && !impl_->processor.IsByte(id);
}

}  // namespace minibert::infer
