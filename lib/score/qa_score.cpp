// The official KorQuAD 1.0 scorer's figures.
#include "score/qa_score.h"

#include <algorithm>

#include "core/utf8.h"
#include "text/python_text.h"

namespace minibert {
namespace {

bool is_bracket_or_quote(char32_t c) {
  return std::u32string_view(U"'\"《》<>〈〉()‘’").find(c) != std::u32string_view::npos;
}

// Python's string.punctuation.
bool is_ascii_punctuation(char32_t c) {
  return (c >= 0x21 && c <= 0x2f) || (c >= 0x3a && c <= 0x40) || (c >= 0x5b && c <= 0x60) ||
         (c >= 0x7b && c <= 0x7e);
}

// The characters of a normalized text without its spaces, sorted.
std::u32string sorted_characters(std::string_view text) {
  std::u32string out = normalize_answer(text);
  std::erase(out, U' ');
  std::ranges::sort(out);
  return out;
}

size_t common_characters(std::u32string_view a, std::u32string_view b) {
  size_t common = 0;
  for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    if (a[i] == b[k]) {
      ++common, ++i, ++k;
    } else if (a[i] < b[k]) {
      ++i;
    } else {
      ++k;
    }
  }
  return common;
}

}  // namespace

std::u32string normalize_answer(std::string_view text) {
  std::u32string out = to_code_points(text);
  for (char32_t& c : out)
    if (is_bracket_or_quote(c)) c = U' ';
  out = lower(out);
  std::erase_if(out, is_ascii_punctuation);
  return join_split(out);
}

double exact_match(std::string_view prediction, std::string_view gold) {
  return normalize_answer(prediction) == normalize_answer(gold) ? 1 : 0;
}

double f1(std::string_view prediction, std::string_view gold) {
  const std::u32string predicted = sorted_characters(prediction);
  const std::u32string wanted = sorted_characters(gold);
  const auto common = static_cast<double>(common_characters(predicted, wanted));
  if (common == 0) return 0;
  const double precision = common / static_cast<double>(predicted.size());
  const double recall = common / static_cast<double>(wanted.size());
  return 2 * precision * recall / (precision + recall);
}

double best_exact_match(std::string_view prediction, const std::vector<std::string>& answers) {
  double best = 0;
  for (const std::string& answer : answers) best = std::max(best, exact_match(prediction, answer));
  return best;
}

double best_f1(std::string_view prediction, const std::vector<std::string>& answers) {
  double best = 0;
  for (const std::string& answer : answers) best = std::max(best, f1(prediction, answer));
  return best;
}

}  // namespace minibert
