// Exact match and F1 as the official KorQuAD 1.0 scorer (evaluate-v1.0.py) computes them.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/questions/korquad.h"

namespace minibert {

// normalize_answer: ' " 《 》 < > 〈 〉 ( ) ‘ ’ become spaces, then lower case, ASCII punctuation
// deleted, white space collapsed.
std::u32string normalize_answer(std::string_view text);

// 1 when both normalize to the same text, else 0.
double exact_match(std::string_view prediction, std::string_view gold);

// Harmonic mean of precision and recall over the characters of both normalized texts, white space
// aside (a bag of code points); 0 when they share none, also when both are empty.
double f1(std::string_view prediction, std::string_view gold);

// The better of a prediction's scores against each of the right answers.
double best_exact_match(std::string_view prediction, const std::vector<std::string>& answers);
double best_f1(std::string_view prediction, const std::vector<std::string>& answers);

struct QaScore {
  double exact_match = 0, f1 = 0;  // 0-100
  size_t questions = 0;
};

// Over every question of `set`; one without a prediction counts as 0.
QaScore score_predictions(const KorquadSet& set,
                          const std::unordered_map<std::string, std::string>& prediction_of_id);

}  // namespace minibert
