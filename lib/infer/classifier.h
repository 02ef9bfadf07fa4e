// Returns the probabilities of a text's labels, and each word's part in the best one, with
// tokenizer and engine.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "infer/engine/text_model.h"
#include "infer/format/status.h"
#include "infer/timing.h"

namespace minibert::infer {

struct LabelProbability {
  std::string label;
  float probability = 0;
};

// A word of the text, cut at white space as the tokenizer sees it.
struct WordWeight {
  uint32_t begin = 0, end = 0;  // bytes of the text, [begin, end)
  // The probability of the text's best label after [MASK] has replaced each of the word's pieces.
  float probability = 0;
};

// If texts may have several labels, a text has those with at least this probability.
inline constexpr float kLabelThreshold = 0.5f;

struct ClassifyResult : TextReading {
  // Most probable first; ties in the model's order. With `several` each label has its own
  // probability, otherwise they sum to 1.
  std::vector<LabelProbability> labels;
  bool several = false;
  std::vector<WordWeight> words;  // the words read, if requested

  // Returns the text's labels, most probable first: one, or any number with `several`.
  std::vector<std::string> given() const {
    std::vector<std::string> out;
    for (const LabelProbability& one : labels)
      if (several ? one.probability >= kLabelThreshold : out.empty()) out.push_back(one.label);
    return out;
  }
};

// Reads a text as in training: [CLS] text [SEP]. A text longer than the model's max_length is read
// in windows (rules/text_windows.h); a label's probability is then the windows' mean.
class Classifier {
 public:
  // Loads a model with its tokenizer. `file` must be 16-byte aligned and outlive this object. Fails
  // like TextModel::load(), and for a model of another task.
  Status load(std::span<const uint8_t> file, Kernel kernel = best_kernel());
  Status load(TextModel loaded);  // from a loaded file

  // Sets the kernel for later calls; it must be available().
  void use_kernel(Kernel kernel) { loaded_.use_kernel(kernel); }

  // A model of pairs reads a second text behind the first: [CLS] text [SEP] second [SEP]; empty:
  // none. `weigh_words` also weighs the text's words, with one more forward pass each. Fails for an
  // empty text and invalid UTF-8.
  Status classify(std::string_view text, std::string_view second, bool weigh_words,
                  ClassifyResult* result);

  // Returns the text's pieces, whatever their number. Fails for invalid UTF-8.
  Status tokenize(std::string_view text, std::vector<Token>* tokens) const {
    return loaded_.tokenizer.encode(text, tokens);
  }

  // Runs the engine's encode() on known pieces.
  Status encode_ids(std::span<const int32_t> ids) { return loaded_.engine->encode(ids); }

  const Model& model() const { return *loaded_.model; }
  const Engine& engine() const { return *loaded_.engine; }

 private:
  struct Reading;
  Status read(std::string_view text, std::string_view second, Reading* reading) const;
  // Computes the labels' probabilities in one window into probabilities_.
  Status compute(const std::vector<int32_t>& ids, const std::vector<uint8_t>& segments);
  Status weigh(std::string_view text, const Reading& reading, size_t label,
               std::vector<WordWeight>* words);

  TextModel loaded_;
  std::vector<float> probabilities_;  // in the order of the model's labels
};

}  // namespace minibert::infer
