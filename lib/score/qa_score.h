// Exact match and F1, computed as in the official KorQuAD 1.0 scorer (evaluate-v1.0.py).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace minibert {

// Applies normalize_answer: ' " 《 》 < > 〈 〉 ( ) ‘ ’ become spaces; then text is lower-cased, ASCII
// punctuation deleted and white space collapsed.
std::u32string normalize_answer(std::string_view text);

// Returns 1 if both normalize to the same text, else 0.
double exact_match(std::string_view prediction, std::string_view gold);

// Returns the harmonic mean of precision and recall over the characters of both normalized texts,
// without white space (a bag of code points); 0 if they share none or both are empty.
double f1(std::string_view prediction, std::string_view gold);

// Return a prediction's best score over all right answers.
double best_exact_match(std::string_view prediction, const std::vector<std::string>& answers);
double best_f1(std::string_view prediction, const std::vector<std::string>& answers);

}  // namespace minibert
