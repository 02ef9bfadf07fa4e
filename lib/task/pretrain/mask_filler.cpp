#include "task/pretrain/mask_filler.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>

#include "core/error.h"
#include "task/intervene.h"
#include "task/pretrain/stored_pretraining.h"
#include "task/text_input.h"

namespace minibert {
namespace {

constexpr std::string_view kContinues = "##";  // WordPiece's

// Milliseconds since `start`, which is set to now.
double lap(std::chrono::steady_clock::time_point* start) {
  const auto now = std::chrono::steady_clock::now(), before = *start;
  *start = now;
  return std::chrono::duration<double, std::milli>(now - before).count();
}

// The text with every mask replaced by its best guess.
std::string filled(const std::string& text, const std::vector<infer::MaskGuesses>& masks) {
  std::string out;
  size_t done = 0;
  for (const infer::MaskGuesses& mask : masks) {
    if (mask.guesses.empty()) continue;
    out += text.substr(done, mask.begin - done) + mask.guesses.front().text;
    done = mask.end;
  }
  return out + text.substr(done);
}

}  // namespace

MaskFiller::MaskFiller(const RunRecord& record, const std::string& file)
    : tokenizer_(Tokenizer::from_bytes(record.tokenizer_model, file)) {
  if (!stored_pretraining(record, file).masked_lm)
    throw usage_error(file + ": has no masked-LM head: it was imported from an encoder alone");
  model_ = load_pretrained(record, file);
  if (tokenizer_.size() != model_->config().vocab_size)
    throw Error(file + ": the tokenizer has " + std::to_string(tokenizer_.size()) +
                " pieces, the model " + std::to_string(model_->config().vocab_size));
  for (int32_t id = 0; id < tokenizer_.size(); ++id) {
    // A lone space would fill a mask with nothing.
    if (!tokenizer_.is_text(id) || id == tokenizer_.lone_space()) continue;
    (tokenizer_.starts_word(id) ? begin_ : continue_).push_back(id);
  }
}

bool MaskFiller::begins_word(const std::vector<infer::Token>& tokens, size_t mask) const {
  if (infer::begins_word(tokens, mask)) return true;
  // WordPiece cuts at punctuation, after which a word begins.
  return tokenizer_.is_wordpiece() &&
         std::ispunct(static_cast<unsigned char>(tokens[mask - 1].piece.back())) != 0;
}

infer::FillResult MaskFiller::fill(const std::string& text, size_t top_k) {
  infer::FillResult out;
  auto clock = std::chrono::steady_clock::now();
  const TextInput input = text_input(tokenizer_, text, {}, model_->config().max_positions);
  std::vector<int64_t> masks;
  for (size_t i = 0; i < input.pieces.size(); ++i) {
    const InputPiece& piece = input.pieces[i];
    out.tokens.push_back({piece.id, piece.piece, piece.begin, piece.end});
    if (piece.id == tokenizer_.special().mask) masks.push_back(static_cast<int64_t>(i));
  }
  if (masks.empty()) throw usage_error("the text has no [MASK]");
  out.timing.tokenize_ms = lap(&clock);
  torch::NoGradGuard no_grad;
  minibert::intervene(model_->bert(), tokenizer_, static_cast<int64_t>(input.pieces.size()),
                      changes_, swap_);
  const torch::Tensor positions = torch::tensor(masks, torch::kInt64).unsqueeze(0);
  const torch::Tensor hidden_1MD = model_->encode(input.ids, input.segments, positions);
  out.timing.encoder_ms = lap(&clock);
  const torch::Tensor logits_MV =
      model_->mlm_logits(hidden_1MD, torch::arange(positions.size(1)), input.ids).contiguous();
  for (size_t m = 0; m < masks.size(); ++m) {
    const auto position = static_cast<size_t>(masks[m]);
    const float* logits = logits_MV[static_cast<int64_t>(m)].data_ptr<float>();
    out.masks.push_back(
        guesses(out.tokens[position], position, logits, begins_word(out.tokens, position), top_k));
  }
  out.filled = filled(text, out.masks);
  out.timing.output_ms = lap(&clock);
  return out;
}

infer::MaskGuesses MaskFiller::guesses(const infer::Token& mask, size_t position,
                                       const float* logits, bool begins, size_t top_k) const {
  std::vector<int32_t> ids = begins ? begin_ : continue_;
  infer::MaskGuesses out{static_cast<int32_t>(position), mask.begin, mask.end, {}};
  if (ids.empty()) return out;
  const size_t count = std::min(std::max<size_t>(top_k, 1), ids.size());
  std::partial_sort(
      ids.begin(), ids.begin() + static_cast<ptrdiff_t>(count), ids.end(),
      [&](int32_t a, int32_t b) { return logits[a] != logits[b] ? logits[a] > logits[b] : a < b; });
  double total = 0;
  for (const int32_t id : ids) total += std::exp(double(logits[id]) - logits[ids[0]]);
  for (size_t i = 0; i < count; ++i) {
    const std::string& piece = tokenizer_.readable(ids[i]);
    const bool continues = tokenizer_.is_wordpiece() && piece.starts_with(kContinues);
    out.guesses.push_back(
        {ids[i], piece, continues ? piece.substr(kContinues.size()) : infer::piece_text(piece),
         static_cast<float>(std::exp(double(logits[ids[i]]) - logits[ids[0]]) / total)});
  }
  return out;
}

}  // namespace minibert
