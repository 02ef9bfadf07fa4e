// What the JavaScript side tells the page: models and results, from JSON (see web/page_bridge.js).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "state/settings.h"
#include "words/words.h"

namespace minibert::page {

struct TokenView {
  std::string piece;
  int id = 0;
  int begin = 0, end = 0;  // UTF-16 units of the text
};

struct GuessView {
  std::string text;  // what a click inserts
  std::string piece;
  int id = 0;
  float probability = 0;
};

struct MaskView {
  int position = 0;  // among the tokens
  std::vector<GuessView> guesses;
};

// The answer of one model for one text.
struct FillView {
  std::string model;
  uint64_t revision = 0;  // of the editor when it was asked
  Bilingual error;        // empty: success
  std::vector<TokenView> tokens;
  std::vector<MaskView> masks;
  double tokenize_ms = 0, encoder_ms = 0, output_ms = 0;
  std::string kernel;
};

struct AnswerView {
  std::string text;
  int begin = 0, end = 0;  // UTF-16 units of the text that was asked about
  float probability = 0;
};

// The answers of one model to one question about one text.
struct AnswersView {
  std::string model;
  uint64_t revision = 0;            // of the fields when it was asked
  Bilingual error;                  // empty: success
  std::vector<AnswerView> answers;  // best first
  double total_ms = 0;
  std::string kernel;
};

struct LabelView {
  std::string label;
  float probability = 0;
};

// A word of a text, and how probable the text's best label is with the word masked.
struct WordView {
  int begin = 0, end = 0;  // UTF-16 units of the text
  float probability = 0;
};

// What the model of one task made of one text.
struct ReadView {
  std::string model;
  uint64_t revision = 0;  // of the field when it was asked
  Bilingual error;        // empty: success
  int pieces = 0;         // of the text
  int read = 0;           // of them
  double total_ms = 0;
  std::string kernel;
};

struct LabelsView : ReadView {
  std::vector<LabelView> labels;  // most probable first
  std::vector<WordView> words;    // in the text's order
  bool weighed = false;           // the words are there: they come after the labels
};

struct EntityView {
  std::string type, text;
  int begin = 0, end = 0;  // UTF-16 units of the text
  float probability = 0;
};

struct NamesView : ReadView {
  std::vector<EntityView> entities;  // in the text's order
};

// The question asked again without one of its words each.
struct LeftOutRow {
  std::string word;
  std::string answer;     // the best one then
  float probability = 0;  // of the answer to the whole question; 0 where it is no longer among them
};
struct LeftOutView {
  uint64_t revision = 0;  // of the fields when it was asked
  std::string answer;     // to the whole question
  float probability = 0;
  std::vector<LeftOutRow> rows;  // in the question's order
};

// Attention probabilities [layer][head][from][to] of one text, of the layers that have attention.
struct AttentionView {
  std::vector<TokenView> tokens;
  int layers = 0;
  int local_layers = 0;  // the first so many mix neighbours by convolution and have none
  int heads = 0;
  std::vector<float> weights;
  bool empty() const { return tokens.empty(); }
  // One head, or kMeanHead for the mean over heads; the layer counts from the model's first.
  float at(int layer, int head, int from, int to) const;
};

enum class ModelState { available, loading, ready, failed };

struct ModelView {
  std::string id;
  std::string name;
  Task task = Task::fill;
  ModelState state = ModelState::available;
  double progress = 0;
  Bilingual error;
  std::vector<std::pair<std::string, std::string>> facts;  // key (see panel_facts.cpp) and value
};

// Empty if the JSON does not have the agreed form.
std::optional<FillView> read_fill(std::string_view json);
std::optional<AnswersView> read_answers(std::string_view json);
std::optional<LeftOutView> read_left_out(std::string_view json);
std::optional<LabelsView> read_labels(std::string_view json);
std::optional<NamesView> read_names(std::string_view json);
std::optional<std::vector<ModelView>> read_models(std::string_view json);
std::optional<std::vector<TokenView>> read_tokens(std::string_view json);
std::optional<Bilingual> read_bilingual(std::string_view json);

}  // namespace minibert::page
