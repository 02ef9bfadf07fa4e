#include "infer/intervene.h"

#include <utility>

namespace minibert::infer {
namespace {

Status status_of(const std::string& error) {
  return error.empty() ? Status() : Status::error(error);
}

LayersAndHeads shape(const FillMask& model) {
  const ModelConfig& config = model.model().config();
  return {config.n_layers, config.local_layers, config.n_heads};
}

// The states of the other text, as patches.
Status read_patches(FillMask& model, std::string_view text, const Swap& swap,
                    std::vector<Intervention::Patch>* patches) {
  Status status = status_of(misfit(swap, shape(model)));
  std::vector<Token> tokens, others;
  if (status.ok()) status = model.read(text, &tokens);
  if (!status.ok()) return status;
  status = model.read(swap.text, &others);
  if (!status.ok()) return Status::error("the other text: " + status.message());
  std::vector<std::pair<int32_t, int32_t>> moves;
  status = status_of(resolve(swap, static_cast<int32_t>(others.size()),
                             static_cast<int32_t>(tokens.size()), &moves));
  if (!status.ok()) return status;
  std::vector<int32_t> ids;
  for (const Token& token : others) ids.push_back(token.id);
  Trace trace;
  status = model.trace_ids(ids, &trace);
  if (!status.ok()) return status;
  const auto width = static_cast<size_t>(model.model().config().d_model);
  for (const auto& [from, to] : moves) {
    const size_t row = static_cast<size_t>(swap.stage) * ids.size() + static_cast<size_t>(from);
    const float* state = trace.states_LSD.data() + row * width;
    patches->push_back({swap.stage, to, {state, state + width}});
  }
  return {};
}

}  // namespace

Status intervene(FillMask& model, std::string_view text, Intervention what, const Swap& swap) {
  model.restore();
  Status status;
  if (!swap.empty()) status = read_patches(model, text, swap, &what.patches);
  return status.ok() ? model.intervene(std::move(what)) : status;
}

Status fill_changed(FillMask& model, std::string_view text, size_t top, const Intervention& what,
                    const Swap& swap, size_t mask, std::string_view word, ChangedResult* result) {
  *result = {};
  const LayersAndHeads all = shape(model);
  result->layers = all.layers, result->local_layers = all.local_layers, result->heads = all.heads;
  FillResult changed, before;
  Status status = intervene(model, text, what, swap);
  if (status.ok()) status = model.fill(text, top, &changed);
  if (status.ok() && !word.empty()) status = follow_word(model, text, mask, word, &result->word);
  model.restore();
  if (status.ok() && !word.empty())
    status = follow_word(model, text, mask, word, &result->word_before);
  if (status.ok()) status = model.fill(text, top, &before);
  if (!status.ok()) return status;
  for (size_t i = 0; i < changed.masks.size(); ++i) {
    ChangedMask& entry = result->masks.emplace_back();
    entry.position = changed.masks[i].position;
    entry.before = std::move(before.masks[i].guesses);
    model.logits(entry.position);
    const std::span<const uint8_t> fitting =
        model.fitting(begins_word(before.tokens, static_cast<size_t>(entry.position)));
    for (Guess& guess : changed.masks[i].guesses) {
      const Standing untouched = model.engine().place(guess.id, fitting);
      entry.guesses.push_back({std::move(guess), untouched.probability});
    }
  }
  result->tokens = std::move(before.tokens);
  return {};
}

}  // namespace minibert::infer
