#include "infer/fill_mask.h"

#include <algorithm>
#include <utility>

#include "infer/engine/float_ops.h"

namespace minibert::infer {
namespace {

// Replaces every mask by its best guess; a mask without one stays.
std::string fill_in(std::string_view text, const std::vector<MaskGuesses>& masks) {
  std::string filled;
  size_t done = 0;
  for (const MaskGuesses& mask : masks) {
    if (mask.guesses.empty() || mask.begin < done) continue;
    filled += text.substr(done, mask.begin - done);
    filled += mask.guesses.front().text;
    done = mask.end;
  }
  filled += text.substr(done);
  return filled;
}

}  // namespace

std::string piece_text(std::string_view piece) {
  if (piece.starts_with(kWordStart)) piece.remove_prefix(kWordStart.size());
  std::string text;
  while (!piece.empty()) {
    const bool space = piece.starts_with(kWordStart);
    if (space) {
      text += ' ';
    } else {
      text += piece.front();
    }
    piece.remove_prefix(space ? kWordStart.size() : 1);
  }
  return text;
}

bool begins_word(const std::vector<Token>& tokens, size_t mask) {
  // Pieces cover the text without gaps, save for a dropped ▁.
  return mask == 1 || tokens[mask - 1].end < tokens[mask].begin;
}

Status FillMask::load(std::span<const uint8_t> file, Kernel kernel) {
  TextModel loaded;
  const Status status = loaded.load(file, kernel);
  return status.ok() ? load(std::move(loaded)) : status;
}

Status FillMask::load(TextModel loaded) {
  if (!loaded.model->config().fills_masks())
    return another_task(loaded.model->config(), "fills masks");
  const PieceTokenizer& tokenizer = loaded.tokenizer;
  const int32_t pieces = tokenizer.size();
  begins_word_.assign(static_cast<size_t>(pieces), 0);
  continues_word_.assign(static_cast<size_t>(pieces), 0);
  for (int32_t id = 0; id < pieces; ++id) {
    if (!tokenizer.is_text(id)) continue;
    const bool begins = tokenizer.piece(id).starts_with(kWordStart);
    // A lone ▁ would fill a mask with nothing.
    if (begins && tokenizer.piece(id).size() == kWordStart.size()) continue;
    (begins ? begins_word_ : continues_word_)[static_cast<size_t>(id)] = 1;
  }
  loaded_ = std::move(loaded);
  return {};
}

Status FillMask::tokenize(std::string_view text, std::vector<Token>* tokens) const {
  std::vector<Token> pieces;
  Status status = loaded_.tokenizer.encode(text, &pieces);
  tokens->clear();
  if (!status.ok()) return status;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const bool before_mask = i + 1 < pieces.size() && pieces[i + 1].id == kMaskId;
    if (before_mask && pieces[i].piece == kWordStart) continue;
    tokens->push_back(std::move(pieces[i]));
  }
  frame(tokens);
  return {};
}

Status FillMask::read(std::string_view text, std::vector<Token>* tokens) const {
  const Status status = tokenize(text, tokens);
  return status.ok() ? check_length(*tokens, loaded_.model->config().max_positions) : status;
}

Status FillMask::prepare(std::string_view text, std::vector<Token>* tokens) {
  const Status status = read(text, tokens);
  if (!status.ok()) return status;
  ids_.clear();
  for (const Token& token : *tokens) ids_.push_back(token.id);
  return {};
}

Status FillMask::fill(std::string_view text, size_t top_k, FillResult* result) {
  *result = {};
  Clock clock;
  Status status = prepare(text, &result->tokens);
  if (!status.ok()) return status;
  result->timing.tokenize_ms = clock.lap();
  positions_.clear();
  for (size_t i = 0; i < ids_.size(); ++i)
    if (ids_[i] == kMaskId) positions_.push_back(static_cast<int32_t>(i));
  if (positions_.empty()) return Status::error("the text has no [MASK]", Problem::no_mask);
  status = encode_ids(ids_, positions_);
  if (!status.ok()) return status;
  result->timing.encoder_ms = clock.lap();
  candidates_.resize(std::min<size_t>(std::max<size_t>(top_k, 1), begins_word_.size()));
  for (const int32_t position : positions_) {
    const size_t i = static_cast<size_t>(position);
    const Token& token = result->tokens[i];
    MaskGuesses mask{position, token.begin, token.end, {}};
    if (!all_finite(loaded_.engine->logits(mask.position))) return not_finite();
    const size_t count =
        loaded_.engine->top_k(candidates_, fitting(begins_word(result->tokens, i)));
    for (size_t k = 0; k < count; ++k) {
      const std::string& piece = loaded_.tokenizer.piece(candidates_[k].id);
      mask.guesses.push_back(
          {candidates_[k].id, piece, piece_text(piece), candidates_[k].probability});
    }
    result->masks.push_back(std::move(mask));
  }
  result->filled = fill_in(text, result->masks);
  result->timing.output_ms = clock.lap();
  return {};
}

Status FillMask::attend(std::string_view text, std::vector<Token>* tokens) {
  const Status status = prepare(text, tokens);
  return status.ok() ? loaded_.engine->encode(ids_, {}, true) : status;
}

}  // namespace minibert::infer
