// Exact match and F1 as the official KorQuAD 1.0 scorer (evaluate-v1.0.py) computes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

}  // namespace minibert
