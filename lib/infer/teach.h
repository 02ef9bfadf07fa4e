// A classifier that a class teaches: logistic regression on a model's vectors and pieces, learned
// from a few sentences.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "infer/any_model.h"

namespace minibert::infer {

// Labels that a lesson has, and sentences that each of them needs at least.
inline constexpr size_t kFewestLabels = 2, kMostLabels = 4, kFewestSentences = 3;
inline constexpr size_t kMostLessons = 400;  // sentences

struct TaughtLabel {
  std::string label;
  uint32_t sentences = 0;
};

// A sentence that a classifier which had not seen it labelled otherwise.
struct TaughtError {
  std::string text, label, guess;
  float probability = 0;  // of the guess
};

struct TeachResult {
  std::vector<TaughtLabel> labels;  // in the order of their first sentences
  uint32_t unread_line = 0;         // the first line that is no "label: sentence", from 1; 0: none
  bool learnt = false;              // false: nothing below is filled in
  uint32_t right = 0;  // sentences labelled correctly by a classifier that had not seen them
  std::vector<TaughtError> wrong;
  std::vector<LabelProbability> guess;  // for the asked text, most probable first
  // The asked text's words; probability: of its best label without the word.
  std::vector<WordWeight> words;
};

// Weights [classes, width] that minimize the mean cross-entropy over rows_NW plus decay / 2 times the squares of all
// weights, by Nesterov's method, until no slope is above 1e-5. labels_N: below `classes`.
std::vector<float> fit_logistic(const std::vector<std::vector<float>>& rows_NW,
                                const std::vector<uint32_t>& labels_N, size_t classes, float decay);

class Teacher {
 public:
  // Reads `lessons`, a line "label: sentence" each (":" may be full-width or a tab), and counts the
  // labels. With `learn`, and within the limits above, learns from them: a classifier that saw only
  // the other four fifths labels each sentence once, one that saw all labels the asked text ("":
  // none). Fails like AnyModel::embed().
  Status teach(AnyModel* model, std::string_view lessons, std::string_view asked, bool learn,
               TeachResult* result);

 private:
  struct Features {
    std::vector<float> vector;    // the mean of the pieces' last states [d_model], of length 1
    std::vector<int32_t> pieces;  // without [CLS] and [SEP], each once
  };
  struct Learnt {
    std::vector<float> mean, weights;   // of the vectors [d_model]; [classes, width of a row]
    std::map<int32_t, size_t> columns;  // of the pieces
    std::vector<float> row(const Features& one) const;
    // The probabilities [classes].
    std::vector<float> judge(const Features& one) const;
  };

  Status read(AnyModel* model, const std::string& text, const Features** features);
  // Sets taught_ and whole_.
  Status learn_from(AnyModel* model, std::string_view lessons);
  // Adds the asked text's labels and words.
  Status ask(AnyModel* model, std::string_view asked, TeachResult* result);

  std::map<std::string, Features, std::less<>> known_;  // by the sentence
  std::string lessons_;                                 // taught_ and whole_ are of them
  TeachResult taught_;
  Learnt whole_;  // from all sentences
};

}  // namespace minibert::infer
