// Tokenizer over sentencepiece::SentencePieceProcessor.
#include "text/tokenizer.h"

#include <sentencepiece_processor.h>

#include <array>

#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"

// Exported by the library but declared in no installed header.
namespace sentencepiece::logging {
void SetMinLogLevel(int level);
}

namespace minibert {
namespace {

using sentencepiece::ImmutableSentencePieceText;

constexpr std::array<std::string_view, kFirstOrdinaryPiece> kSpecialPieces = {
    "[PAD]", "[UNK]", "[BOS]", "[EOS]", "[SEP]", "[CLS]", "[MASK]"};
constexpr std::string_view kSpace = "\xe2\x96\x81";  // ▁
constexpr int kLogErrors = 2;

}  // namespace

struct Tokenizer::Impl {
  sentencepiece::SentencePieceProcessor processor;
  std::string bytes;
  std::string sha256;
  std::string name;
  std::vector<bool> starts_word;

  // Valid until this thread's next call: a message that is used again allocates next to nothing.
  const ImmutableSentencePieceText& encode(std::string_view text) const {
    thread_local ImmutableSentencePieceText out;
    const auto status = processor.Encode(text, out.mutable_proto());
    if (!status.ok()) throw Error(name + ": cannot encode a text: " + status.ToString());
    return out;
  }
  void check_id(int32_t id) const {
    if (id < 0 || id >= processor.GetPieceSize())
      throw Error(name + ": piece id " + std::to_string(id) + " is not in 0…" +
                  std::to_string(processor.GetPieceSize() - 1));
  }
};

Tokenizer Tokenizer::from_bytes(std::string bytes, const std::string& name) {
  sentencepiece::logging::SetMinLogLevel(kLogErrors);
  auto impl = std::make_shared<Impl>();
  impl->name = name;
  impl->bytes = std::move(bytes);
  // An empty string parses as a message without fields, on which the processor's checks would
  // abort.
  if (impl->bytes.empty()) throw Error(name + ": not a SentencePiece model: it is empty");
  const auto status = impl->processor.LoadFromSerializedProto(impl->bytes);
  if (!status.ok() || impl->processor.GetPieceSize() == 0)
    throw Error(name + ": not a SentencePiece model: " + status.ToString());
  for (int32_t id = 0; id < kFirstOrdinaryPiece; ++id) {
    const std::string_view expected = kSpecialPieces[id];
    if (id < impl->processor.GetPieceSize() && impl->processor.IdToPiece(id) == expected) continue;
    std::string message = name + ": piece " + std::to_string(id) + " is ";
    message += id < impl->processor.GetPieceSize() ? impl->processor.IdToPiece(id) : "missing";
    message += ", expected ";
    message += expected;
    throw Error(message);
  }
  impl->sha256 = sha256_hex(impl->bytes);
  for (int32_t id = 0; id < impl->processor.GetPieceSize(); ++id)
    impl->starts_word.push_back(impl->processor.IdToPiece(id).starts_with(kSpace));
  Tokenizer tokenizer;
  tokenizer.impl_ = std::move(impl);
  return tokenizer;
}

Tokenizer Tokenizer::from_file(const std::string& path) {
  return from_bytes(read_file(path), path);
}

std::vector<int32_t> Tokenizer::encode(std::string_view text) const {
  const ImmutableSentencePieceText& encoded = impl_->encode(text);
  std::vector<int32_t> ids(encoded.pieces_size());
  for (size_t i = 0; i < ids.size(); ++i)
    ids[i] = static_cast<int32_t>(encoded.pieces(static_cast<int>(i)).id());
  return ids;
}

std::vector<AlignedPiece> Tokenizer::encode_aligned(std::string_view text) const {
  const ImmutableSentencePieceText& encoded = impl_->encode(text);
  std::vector<AlignedPiece> pieces(encoded.pieces_size());
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto piece = encoded.pieces(static_cast<int>(i));
    pieces[i] = {static_cast<int32_t>(piece.id()), piece.begin(), piece.end()};
  }
  return pieces;
}

std::vector<NamedPiece> Tokenizer::encode_named(std::string_view text) const {
  const ImmutableSentencePieceText& encoded = impl_->encode(text);
  std::vector<NamedPiece> pieces(encoded.pieces_size());
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto piece = encoded.pieces(static_cast<int>(i));
    // Adjacent unknown characters come as one piece, whose joined text may be in the vocabulary.
    const auto id = piece.id() == kUnk ? impl_->processor.PieceToId(piece.piece())
                                       : static_cast<int>(piece.id());
    pieces[i] = {piece.piece(), id, piece.begin(), piece.end()};
  }
  return pieces;
}

std::string Tokenizer::decode(const std::vector<int32_t>& ids) const {
  for (int32_t id : ids) impl_->check_id(id);
  std::string text;
  const auto status = impl_->processor.Decode(ids, &text);
  if (!status.ok()) throw Error(impl_->name + ": cannot decode: " + status.ToString());
  return text;
}

const std::string& Tokenizer::piece(int32_t id) const {
  impl_->check_id(id);
  return impl_->processor.IdToPiece(id);
}

int32_t Tokenizer::id(std::string_view piece) const { return impl_->processor.PieceToId(piece); }

float Tokenizer::score(int32_t id) const {
  impl_->check_id(id);
  return impl_->processor.GetScore(id);
}

bool Tokenizer::is_bpe() const {
  int32_t id = kFirstOrdinaryPiece;
  while (id < size() && score(id) == 0) ++id;
  if (id == size()) return false;
  for (float expected = -1; id < size(); ++id, --expected)
    if (score(id) != expected) return false;
  return true;
}

int32_t Tokenizer::size() const { return impl_->processor.GetPieceSize(); }

bool Tokenizer::starts_word(int32_t id) const {
  impl_->check_id(id);
  return impl_->starts_word[id];
}

const std::string& Tokenizer::bytes() const { return impl_->bytes; }
const std::string& Tokenizer::sha256() const { return impl_->sha256; }

}  // namespace minibert
