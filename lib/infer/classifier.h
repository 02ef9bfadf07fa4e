// Gives a text's labels their probabilities, and tells what each word does for the best one:
// tokenizer and engine together.
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

// A word of the text: what stands between white space, as the tokenizer sees it.
struct WordWeight {
  uint32_t begin = 0, end = 0;  // bytes of the text, [begin, end)
  // The probability of the whole text's best label when [MASK] takes the place of each of the
  // word's pieces.
  float probability = 0;
};

// Where a model's texts may have several labels, a text has those that are at least so probable.
inline constexpr float kLabelThreshold = 0.5f;

struct ClassifyResult : TextReading {
  // Most probable first; of equal ones the model's first. With `several` each has a probability of its
  // own, else they sum to 1.
  std::vector<LabelProbability> labels;
  bool several = false;
  std::vector<WordWeight> words;  // those that were read, where they were asked for

  // The labels that the text has, most probable first: one, or with `several` any number.
  std::vector<std::string> given() const {
    std::vector<std::string> out;
    for (const LabelProbability& one : labels)
      if (several ? one.probability >= kLabelThreshold : out.empty()) out.push_back(one.label);
    return out;
  }
};

// Reads a text as in training: [CLS] text [SEP]. One that is longer than the model's max_length is read
// in windows (rules/text_windows.h), and a label's probability is the mean of the windows'.
class Classifier {
 public:
  // Loads a model with its tokenizer. `file` must be 16-byte aligned and outlive this object.
  // Errors: those of TextModel::load(), and a model for another task.
  Status load(std::span<const uint8_t> file, Kernel kernel = best_kernel());
  Status load(TextModel loaded);  // the same from a file that is loaded already

  // Computes with this kernel from now on; it must be available().
  void use_kernel(Kernel kernel) { loaded_.use_kernel(kernel); }

  // A model of pairs reads a second text behind the first: [CLS] text [SEP] second [SEP]; empty:
  // none. `weigh_words` weighs the text's words, too, with one more forward pass each. Errors: an
  // empty text, invalid UTF-8.
  Status classify(std::string_view text, std::string_view second, bool weigh_words,
                  ClassifyResult* result);

  // Gives the text's pieces, however many they are. Errors: invalid UTF-8.
  Status tokenize(std::string_view text, std::vector<Token>* tokens) const {
    return loaded_.tokenizer.encode(text, tokens);
  }

  // The engine's encode(), for pieces that are already known.
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
