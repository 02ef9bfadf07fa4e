#include "task/intervene.h"

#include <utility>

#include "core/error.h"
#include "task/text_input.h"

namespace minibert {
namespace {

void refuse(const std::string& error) {
  if (!error.empty()) throw usage_error(error);
}

TextInput read_other(const BertEncoder& bert, const Tokenizer& tokenizer, const std::string& text) {
  try {
    return text_input(tokenizer, text, {}, bert.max_positions());
  } catch (const Error& error) {
    throw usage_error(std::string("the other text: ") + error.what());
  }
}

// The states of the other text, as patches.
std::vector<Intervention::Patch> patches_of(BertEncoder& bert, const Tokenizer& tokenizer,
                                            int64_t pieces, const Swap& swap) {
  const BertConfig& config = bert.config();
  refuse(misfit(swap,
                {static_cast<int32_t>(config.n_layers), static_cast<int32_t>(config.local_layers),
                 static_cast<int32_t>(config.n_heads)}));
  const TextInput other = read_other(bert, tokenizer, swap.text);
  std::vector<std::pair<int32_t, int32_t>> moves;
  refuse(resolve(swap, static_cast<int32_t>(other.pieces.size()), static_cast<int32_t>(pieces),
                 &moves));
  torch::NoGradGuard no_grad;
  const EncoderTrace trace = bert.trace(other.ids, other.segments);
  const bool last = swap.stage == config.n_layers;
  const torch::Tensor states_SD =
      (last ? trace.residual : trace.states[static_cast<size_t>(swap.stage)])[0]
          .to(torch::kFloat32)
          .contiguous();
  std::vector<Intervention::Patch> patches;
  for (const auto& [from, to] : moves) {
    const float* state = states_SD.data_ptr<float>() + from * config.d_model;
    patches.push_back({swap.stage, to, {state, state + config.d_model}});
  }
  return patches;
}

}  // namespace

void intervene(BertEncoder& bert, const Tokenizer& tokenizer, int64_t pieces, Intervention what,
               const Swap& swap) {
  bert.intervene({});
  if (!swap.empty()) what.patches = patches_of(bert, tokenizer, pieces, swap);
  bert.intervene(std::move(what));
}

}  // namespace minibert
