// What the model did with the sentence, as the engine tells it (engine/engine_abi.cpp): numbers by name,
// and what the panel makes of them. No drawing here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "messages.h"

namespace minibert::page {

struct StageGuessView {
  std::string text;
  float logit = 0;
  float probability = 0;
};

struct ExplainedMaskView {
  int position = 0;                                 // among the tokens
  std::vector<std::vector<StageGuessView>> stages;  // of the embeddings, of each layer's output
  std::vector<float> logits;                        // of all pieces that fit
};

// One row of an attention head: what `from` takes from a token.
struct HeadRow {
  int to = 0;
  float product = 0;  // query · key
  float scaled = 0;   // over the root of the head's size
  float weight = 0;   // softmax of the scaled ones
  float value = 0;    // length of the value vector
};

struct UnitRow {
  int unit = 0;
  float value = 0;
};

class ExplainView {
 public:
  // Empty if the JSON does not have the agreed form, or `numbers` another length.
  static std::optional<ExplainView> read(std::string_view json, std::span<const float> numbers);

  bool empty() const { return tokens.empty(); }
  // Vectors of one token.
  std::span<const float> token(int s) const { return part(0, s, embedding); }
  std::span<const float> position(int s) const { return part(size() * embedding, s, embedding); }
  std::span<const float> segment(int s) const { return part(2 * size() * embedding, s, embedding); }
  std::span<const float> state(int stage, int s) const;
  std::span<const float> units(int layer, int s) const;
  // One head's, or kMeanHead for the mean over heads.
  float attention(int layer, int head, int from, int to) const;

  // All tokens, those with the largest weight first.
  std::vector<HeadRow> head_rows(int layer, int head, int from) const;
  // The units of the largest absolute value, largest first.
  std::vector<UnitRow> strongest_units(int layer, int s, size_t count) const;

  std::vector<TokenView> tokens;
  std::vector<ExplainedMaskView> masks;
  int layers = 0, heads = 0, width = 0, feed_forward = 0, embedding = 0;
  bool shared = false;     // all layers have the same weights
  bool transform = false;  // the output head transforms a state before it compares it with pieces

 private:
  int size() const { return static_cast<int>(tokens.size()); }
  std::span<const float> part(int begin, int index, int length) const;
  // 0 query, 1 key, 2 value.
  std::span<const float> projected(int kind, int layer, int head, int s) const;
  int states_begin() const { return 3 * size() * embedding; }
  int qkv_begin() const { return states_begin() + (layers + 1) * size() * width; }
  int units_begin() const { return qkv_begin() + layers * size() * 3 * width; }
  int attention_begin() const { return units_begin() + layers * size() * feed_forward; }
  int masks_begin() const { return attention_begin() + layers * heads * size() * size(); }

  std::vector<float> numbers_;
};

// e^(logit / temperature) as a part of that of all `logits`.
float probability_at(float logit, std::span<const float> logits, float temperature);

float length(std::span<const float> vector);

}  // namespace minibert::page
