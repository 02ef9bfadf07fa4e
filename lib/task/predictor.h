// A finished run put to use on a text of one's own: one interface for each kind of answer, whether LibTorch
// computes it from the record or the page's engine from a model file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "infer/answerer.h"
#include "infer/classifier.h"
#include "infer/fill_mask.h"
#include "rules/intervention.h"
#include "rules/qa_windows.h"

namespace minibert {

// What runs of a task predict. Each has an interface below.
enum class Predicts { nothing, labels, names, answers, masks };

class Predictor {
 public:
  virtual ~Predictor() = default;
};

// The labels of a text, or of a pair where `second` is not empty, most probable first; or its number.
class LabelPredictor : public Predictor {
 public:
  static constexpr Predicts kPredicts = Predicts::labels;
  // `words`: also each word's part in the best label, which the engine alone finds. Throws a usage Error
  // for a text that the model cannot read.
  virtual infer::ClassifyResult labels(const std::string& text, const std::string& second,
                                       bool words) = 0;
  // Whether the run gives a text a number and no label: then number() is asked, not labels().
  virtual bool gives_numbers() const { return false; }
  virtual double number(const std::string& text, const std::string& second);
  // Whether the run chooses among alternatives: then choose() is asked, which gives each its probability, in
  // their order.
  virtual bool chooses() const { return false; }
  virtual std::vector<double> choose(const std::string& text,
                                     const std::vector<std::string>& alternatives);
  // Whether the run was trained on pairs of texts; nothing where its file does not say.
  virtual std::optional<bool> reads_pairs() const { return std::nullopt; }
};

// A name of a text: characters [begin, end).
struct FoundName {
  std::string type;
  uint32_t begin = 0, end = 0;
  std::optional<float> probability;  // by the engine alone
};

class NamePredictor : public Predictor {
 public:
  static constexpr Predicts kPredicts = Predicts::names;
  // Of whole words (infer/whole_words.h), in the text's order. Throws as LabelPredictor.
  virtual std::vector<FoundName> names(const std::string& text) = 0;
};

class AnswerPredictor : public Predictor {
 public:
  static constexpr Predicts kPredicts = Predicts::answers;
  // At least `n_best` answers where there are so many, best first. Throws a usage Error for a question that
  // is too long and not to be cut, and as LabelPredictor.
  virtual std::vector<infer::Answer> answers(const std::string& question,
                                             const std::string& context, int n_best,
                                             LongQuestion long_question) = 0;
  // Whether a question is short enough to be read to its end.
  virtual bool reads_whole(const std::string& question) const = 0;
};

class MaskPredictor : public Predictor {
 public:
  static constexpr Predicts kPredicts = Predicts::masks;
  // At most top_k guesses for each [MASK]. Throws a usage Error: empty text, no [MASK], more pieces than
  // the model reads.
  virtual infer::FillResult fill(const std::string& text, size_t top_k) = 0;
  // What fill() changes in the model from now on. It then throws a usage Error for what does not fit the model
  // or the text.
  void intervene(Intervention what, Swap swap) {
    changes_ = std::move(what);
    swap_ = std::move(swap);
  }

 protected:
  Intervention changes_;
  Swap swap_;
};

}  // namespace minibert
