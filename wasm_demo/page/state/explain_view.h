// A model's work on a sentence, from the engine (engine/engine_abi.cpp): numbers by name, and
// values that the panel derives. No drawing here.
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
  float logit = 0;
  float probability = 0;
};

// The first guess's rank and probability after a step.
struct StepView {
  int rank = 0;
  float probability = 0;
};

// A token in the sentence, and the bonus on its score.
struct ShownPieceView {
  std::string text;
  float added = 0;
};

struct ExplainedMaskView {
  int position = 0;  // in the tokens
  // For the embeddings and for each layer's output.
  std::vector<std::vector<StageGuessView>> stages;
  std::vector<StepView> path;         // of the first guess: embeddings, each layer's two halves
  std::vector<float> logits;          // of all pieces that fit
  std::vector<ShownPieceView> shown;  // largest first; empty: the model adds no bonus
};

// One row of an attention head: how `from` attends to one token.
struct HeadRow {
  int to = 0;
  float product = 0;  // query · key
  float scaled = 0;   // divided by the root of the head's size
  float offset = 0;   // bias for the distance; 0 in a model with position embeddings
  float weight = 0;   // softmax of the sums
  float value = 0;    // length of the value vector
};

// A local layer's contribution from one near token.
struct NeighbourRow {
  int to = 0;
  int distance = 0;  // negative: before
  float added = 0;   // length of the added vector
};

struct UnitRow {
  int unit = 0;
  float value = 0;
};

class ExplainView {
 public:
  // Returns nothing if the JSON does not have the agreed form or `numbers` has another length.
  static std::optional<ExplainView> read(std::string_view json, std::span<const float> numbers);

  bool empty() const { return tokens.empty(); }
  // Vectors of one token.
  std::span<const float> token(int s) const { return part(0, s, embedding); }
  // Empty if the model has no position embeddings.
  std::span<const float> position(int s) const;
  std::span<const float> segment(int s) const { return part(segment_begin(), s, embedding); }
  std::span<const float> state(int stage, int s) const;
  std::span<const float> units(int layer, int s) const;
  // The first layers mix neighbours by convolution, without attention.
  bool is_local(int layer) const { return layer < local_layers; }
  // Attention in a layer that has it: one head's, or the mean over heads for kMeanHead.
  float attention(int layer, int head, int from, int to) const;
  // The factor of a head's output, 0 to 1; 1 if the model has no gates.
  float gate(int layer, int head, int s) const;
  // The share of `to` in what the layer adds to `from`: the length of the vector from `to` over the
  // lengths of all vectors that it mixes there, before their projection.
  float contribution(int layer, int from, int to) const;

  // Returns all tokens, the largest weight first.
  std::vector<HeadRow> head_rows(int layer, int head, int from) const;
  // Returns the tokens that a local layer reads, in the sentence's order.
  std::vector<NeighbourRow> neighbour_rows(int layer, int from) const;
  // Returns the units with the largest absolute values, largest first.
  std::vector<UnitRow> strongest_units(int layer, int s, size_t count) const;

  std::vector<infer::Token> tokens;
  std::vector<ExplainedMaskView> masks;
  int layers = 0, local_layers = 0, heads = 0, width = 0, feed_forward = 0, embedding = 0;
  int local_taps = 0;              // of a local layer's convolution
  int convolution = 0;             // taps on queries, keys and values; 0: none
  bool relative_position = false;  // attention adds a bias for the distance; no position embeddings
  bool gated_units = false;        // GEGLU
  bool gated_heads = false;
  bool shared = false;     // all layers with attention share their weights
  bool transform = false;  // the output head transforms a state before comparing it with pieces

 private:
  int size() const { return static_cast<int>(tokens.size()); }
  std::span<const float> part(int begin, int index, int length) const;
  // 0 query, 1 key, 2 value.
  std::span<const float> projected(int kind, int layer, int head, int s) const;
  // Index among the layers with attention.
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

  std::vector<float> numbers_;
};

// Returns e^(logit / temperature) over its sum for all `logits`.
float probability_at(float logit, std::span<const float> logits, float temperature);

float length(std::span<const float> vector);

// Numbers equal names by raised digits: "나는¹", "나는²".
std::vector<std::string> numbered(std::vector<std::string> names);

}  // namespace minibert::page
