// Interfaces for a finished run that predicts on a user's text, one for each kind of answer.
// LibTorch computes from the record, or the page's engine from a model file.
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

// The kinds of prediction; each has an interface below.
enum class Predicts { nothing, labels, names, answers, masks };

class Predictor {
 public:
  virtual ~Predictor() = default;
};

// Labels a text, or a pair if `second` is not empty, most probable first; or gives it a number.
class LabelPredictor : public Predictor {
 public:
  static constexpr Predicts kPredicts = Predicts::labels;
  // `words`: also each word's part in the best label, which only the engine finds. Throws a usage
  // Error for a text that the model cannot read.
  virtual infer::ClassifyResult labels(const std::string& text, const std::string& second,
                                       bool words) = 0;
  // True if the run gives a text a number: then call number(), not labels().
  virtual bool gives_numbers() const { return false; }
  virtual double number(const std::string& text, const std::string& second);
  // True if the run chooses among alternatives: then call choose().
  virtual bool chooses() const { return false; }
  virtual std::vector<double> choose(const std::string& text,
                                     const std::vector<std::string>& alternatives);
  // True if the run was trained on pairs of texts; nothing if its file does not say.
  virtual std::optional<bool> reads_pairs() const { return std::nullopt; }
};

// A name at characters [begin, end) of a text.
struct FoundName {
  std::string type;
  uint32_t begin = 0, end = 0;
  std::optional<float> probability;  // only from the engine
};

class NamePredictor : public Predictor {
 public:
  static constexpr Predicts kPredicts = Predicts::names;
  // Returns names of whole words (infer/whole_words.h) in order. Throws like LabelPredictor.
  virtual std::vector<FoundName> names(const std::string& text) = 0;
};

class AnswerPredictor : public Predictor {
 public:
  static constexpr Predicts kPredicts = Predicts::answers;
  // Returns the best answers, best first: `n_best` or more, if there are as many. Throws a usage
  // Error for a question that is too long and must not be cut, and like LabelPredictor.
  virtual std::vector<infer::Answer> answers(const std::string& question,
                                             const std::string& context, int n_best,
                                             LongQuestion long_question) = 0;
  // True if the question is short enough to be read to its end.
  virtual bool reads_whole(const std::string& question) const = 0;
};

class MaskPredictor : public Predictor {
 public:
  static constexpr Predicts kPredicts = Predicts::masks;
  // Returns at most top_k guesses for each [MASK]. Throws a usage Error for an empty text, no
  // [MASK], or more pieces than the model reads.
  virtual infer::FillResult fill(const std::string& text, size_t top_k) = 0;
  // Changes the model for later calls of fill(), which then throws a usage Error if the change does
  // not fit the model or the text.
  void intervene(Intervention what, Swap swap) {
    changes_ = std::move(what);
    swap_ = std::move(swap);
  }

 protected:
  Intervention changes_;
  Swap swap_;
};

}  // namespace minibert
