// Messages from JavaScript: models and results, from JSON (see web/page_bridge.js).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "state/read_json.h"
#include "words/names.h"

namespace minibert::page {

// A model's answers to the question of an inquiry (web/guesser.js).
struct Message {
  std::string model;
  uint64_t revision = 0;      // of the fields at the question
  Bilingual error;            // empty: success
  std::vector<Json> answers;  // of the engine's functions, in the order of the calls
};

// Attention probabilities [layer][head][from][to] of one text, for the layers with attention.
struct AttentionView {
  std::vector<infer::Token> tokens;
  int layers = 0;
  int local_layers = 0;  // the first layers, which mix neighbours by convolution, without attention
  int heads = 0;
  std::vector<float> weights;
  bool empty() const { return tokens.empty(); }
  // One head, or the mean over heads for kMeanHead; the layer counts from the model's first.
  float at(int layer, int head, int from, int to) const;
};

// Named as in web/models.js.
#define MINIBERT_STATES(STATE) STATE(available) STATE(loading) STATE(ready) STATE(failed)
MINIBERT_NAMED(ModelState, MINIBERT_STATES)

// A measure of a model's run.
struct Figure {
  std::string name, heading, split;
  int decimals = 0;
  double value = 0;
};

struct ModelView {
  std::string id;
  std::string name;
  Bilingual shown;  // on the page
  std::string task;
  ModelState state = ModelState::available;
  double progress = 0;
  Bilingual error;
  double bytes = 0;                                        // of its file
  std::vector<std::pair<std::string, std::string>> facts;  // key (see panel_facts.cpp) and value
  std::vector<Figure> card;                                // the model's quality
  Bilingual shape;        // the architecture in words; empty until it is loaded
  bool teaching = false;  // the BERT of courses
  bool series = false;    // several states of one training, only for that view
};

// Return nothing if the JSON does not have the agreed form.
std::optional<Message> read_message(std::string_view json);
std::optional<std::vector<ModelView>> read_models(std::string_view json);
// Returns nothing also if `weights` does not have the size that the JSON states.
std::optional<AttentionView> read_attention(std::string_view json, std::span<const float> weights);
std::optional<Bilingual> read_bilingual(std::string_view json);

}  // namespace minibert::page
