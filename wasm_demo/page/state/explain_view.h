// The way of a sentence through the model, as the engine tells it (engine/engine_abi.cpp): numbers by name,
// and what the explanation makes of them. No drawing here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "state/messages.h"

namespace minibert::page {

struct StageGuessView {
  std::string text;
  float probability = 0;
};

// The first guess's rank and probability after a step.
struct StepView {
  int rank = 0;
  float probability = 0;
};

struct ExplainedMaskView {
  int position = 0;                                 // among the tokens
  std::vector<std::vector<StageGuessView>> stages;  // of the embeddings, of each layer's output
  std::vector<StepView> path;  // of the first guess: the embeddings, then each layer's two halves
};

class ExplainView {
 public:
  // Returns nothing if the JSON does not have the agreed form or `numbers` has another length.
  static std::optional<ExplainView> read(std::string_view json, std::span<const float> numbers);

  bool empty() const { return tokens.empty(); }
  // The first layers mix neighbours by convolution and have no attention.
  bool is_local(int layer) const { return layer < local_layers; }
  // Returns what a layer adds to token `from` from token `to`, as a share of all that it adds there.
  // For one head: its attention. For kAllHeads, or a layer without heads: the length of the vector
  // from `to` divided by the sum of all lengths, before the output projection.
  float contribution(int layer, int head, int from, int to) const;

  std::vector<infer::Token> tokens;
  std::vector<ExplainedMaskView> masks;
  int layers = 0, local_layers = 0, heads = 0, width = 0;

 private:
  int size() const { return static_cast<int>(tokens.size()); }
  std::span<const float> part(int begin, int index, int length) const;
  float attention(int layer, int head, int from, int to) const;
  float value_length(int layer, int head, int s) const;
  // Among the layers with attention.
  int kept(int layer) const { return layer - local_layers; }
  int kept_layers() const { return layers - local_layers; }
  int distances() const { return 2 * size() - 1; }
  int segment_begin() const { return (relative_position ? 1 : 2) * size() * embedding; }
  int states_begin() const { return segment_begin() + size() * embedding; }
  int taps_begin() const { return states_begin() + (layers + 1) * size() * width; }
  int qkv_begin() const { return taps_begin() + local_layers * size() * local_taps; }
  int offsets_begin() const { return qkv_begin() + kept_layers() * size() * 3 * width; }
  int gates_begin() const {
    return offsets_begin() + (relative_position ? kept_layers() * heads * distances() : 0);
  }
  int units_begin() const {
    return gates_begin() + (gated_heads ? kept_layers() * size() * heads : 0);
  }
  int attention_begin() const { return units_begin() + layers * size() * feed_forward; }
  int masks_begin() const { return attention_begin() + kept_layers() * heads * size() * size(); }

  int feed_forward = 0, embedding = 0, local_taps = 0;
  bool relative_position = false, gated_heads = false;
  std::vector<float> numbers_;
};

// Tells equal names apart: "나는(1)", "나는(2)".
std::vector<std::string> numbered(std::vector<std::string> names);

}  // namespace minibert::page
