#include "infer/explain.h"

#include <algorithm>

#include "infer/engine/float_ops.h"
#include "infer/word_guesses.h"

namespace minibert::infer {
namespace {

// Reads the pieces that the text shows from the logits that the engine gave last.
std::vector<ShownPiece> shown_pieces(const FillMask& model, size_t top) {
  const std::span<const int32_t> ids = model.engine().shown_pieces();
  const std::span<const float> added = model.engine().shown_bonus();
  std::vector<ShownPiece> shown;
  for (size_t i = 0; i < ids.size(); ++i)
    shown.push_back({piece_text(model.tokenizer().piece(ids[i])), added[i]});
  std::stable_sort(shown.begin(), shown.end(),
                   [](const ShownPiece& a, const ShownPiece& b) { return a.added > b.added; });
  if (shown.size() > top) shown.resize(top);
  return shown;
}

}  // namespace

Status explain(FillMask& model, std::string_view text, size_t top, Explanation* explanation) {
  *explanation = {};
  Status status = model.read(text, &explanation->tokens);
  if (!status.ok()) return status;
  std::vector<int32_t> ids;
  for (const Token& token : explanation->tokens) ids.push_back(token.id);
  status = model.trace_ids(ids, &explanation->trace);
  if (!status.ok()) return status;
  const auto width = static_cast<size_t>(model.model().config().d_model);
  const std::span<const float> states = explanation->trace.states_LSD;
  const size_t stage = ids.size() * width;
  const auto layers = static_cast<size_t>(model.model().config().n_layers);
  std::vector<Candidate> candidates(top);
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] != kMaskId) continue;
    ExplainedMask mask{static_cast<int32_t>(i), {}, {}, {}, {}};
    const std::span<const uint8_t> fitting = model.fitting(begins_word(explanation->tokens, i));
    for (size_t at = i * width; at < states.size(); at += stage) {
      const std::span<const float> logits = model.logits_of(states.subspan(at, width));
      if (!all_finite(logits)) return not_finite();
      const size_t found = model.engine().top_k(candidates, fitting);
      std::vector<StageGuess>& guesses = mask.stages.emplace_back();
      for (size_t k = 0; k < found; ++k)
        guesses.push_back({piece_text(model.tokenizer().piece(candidates[k].id)),
                           logits[static_cast<size_t>(candidates[k].id)],
                           candidates[k].probability});
      if (at + stage < states.size()) continue;
      for (size_t id = 0; id < logits.size(); ++id)
        if (fitting[id] != 0) mask.logits.push_back(logits[id]);
      mask.shown = shown_pieces(model, top);
    }
    const int32_t first = candidates[0].id;
    for (size_t half = 0; half <= 2 * layers; ++half) {
      if (!all_finite(model.logits_of(state_after(explanation->trace, half, i, ids.size(), width))))
        return not_finite();
      mask.path.push_back(model.engine().place(first, fitting));
    }
    explanation->masks.push_back(std::move(mask));
  }
  return {};
}

}  // namespace minibert::infer
