#include "data/questions/overlap_answer.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "text/korean.h"
#include "text/python_text.h"

namespace minibert {
namespace {

using View = std::u32string_view;
using Bigrams = std::set<std::u32string>;  // in order: sums are the same everywhere

using Range = CodePoints;

constexpr size_t kReach = 4;         // words on either side that count for a place
constexpr double kSharedWord = 0.5;  // a word with so many shared bigrams is of the question
constexpr double kAsked = 100;       // a number, where one is asked for, beats every other word
constexpr double kUnasked = 0.5, kPredicate = 0.3;
constexpr double kOnlyShared = -1;  // below every other place

Bigrams bigrams(View text) {
  std::u32string letters;
  std::ranges::copy_if(text, std::back_inserter(letters), is_letter_or_digit);
  Bigrams out;
  for (size_t i = 0; i + 1 < letters.size(); ++i) out.insert(letters.substr(i, 2));
  return out;
}

// Sentences end in a mark before a space, or with a line.
std::vector<Range> sentences(View text) {
  std::vector<Range> out;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool mark = text[i] == U'.' || text[i] == U'!' || text[i] == U'?';
    const bool last = i + 1 == text.size();
    if (!last && text[i] != U'\n' && !(mark && is_python_space(text[i + 1]))) continue;
    out.push_back({begin, i + 1});
    begin = i + 1;
  }
  return out;
}

std::vector<Range> words(View text, Range in) {
  std::vector<Range> out = split_ranges(text.substr(in.begin, in.end - in.begin));
  for (Range& word : out) word.begin += in.begin, word.end += in.begin;
  return out;
}

View part(View text, Range range) { return text.substr(range.begin, range.end - range.begin); }

bool asks_for_number(View question) {
  return std::ranges::any_of(std::initializer_list<View>{U"몇", U"언제", U"얼마", U"연도", U"년도",
                                                         U"날짜", U"횟수", U"해는"},
                             [&](View word) { return question.find(word) != View::npos; });
}

class OverlapFinder {
 public:
  OverlapFinder(View context, View question)
      : context_(context), asks_for_number_(asks_for_number(question)), asked_(bigrams(question)) {}

  OverlapAnswer find() {
    const std::vector<Range> all = sentences(context_);
    std::vector<Bigrams> of_sentence;
    for (const Range& sentence : all) of_sentence.push_back(bigrams(part(context_, sentence)));
    for (const Bigrams& sentence : of_sentence)
      for (const auto& bigram : sentence) ++sentences_with_[bigram];
    sentences_ = static_cast<double>(all.size());
    double best = -1;
    Range chosen{0, 0};
    for (size_t i = 0; i < all.size(); ++i) {
      const double shared = weight_of_shared(of_sentence[i]);
      if (shared > best && !words(context_, all[i]).empty()) {
        best = shared;
        chosen = all[i];
      }
    }
    return in_sentence(chosen);
  }

 private:
  double weight_of_shared(const Bigrams& bigrams) const {
    double sum = 0;
    for (const auto& bigram : asked_)
      if (bigrams.contains(bigram))
        sum += std::log((sentences_ + 1) / (sentences_with_.at(bigram) + 0.5));
    return sum;
  }

  OverlapAnswer in_sentence(Range sentence) const {
    const std::vector<Range> all = words(context_, sentence);
    std::vector<double> weights, shares;
    for (const Range& word : all) {
      const Bigrams of_word = bigrams(part(context_, word));
      const auto shared = static_cast<double>(std::ranges::count_if(
          of_word, [&](const auto& bigram) { return asked_.contains(bigram); }));
      weights.push_back(weight_of_shared(of_word));
      shares.push_back(shared / static_cast<double>(std::max<size_t>(of_word.size(), 1)));
    }
    OverlapAnswer best{0, 0, 2 * kOnlyShared};
    for (size_t i = 0; i < all.size(); ++i) {
      const Range answer = without_particle(all[i]);
      if (answer.begin == answer.end) continue;
      double score = place(weights, i);
      const View word = part(context_, answer);
      const bool number = std::ranges::any_of(word, is_digit);
      if (number) score = asks_for_number_ ? score + kAsked : score * kUnasked;
      if (part(context_, all[i]).ends_with(U'다') || part(context_, all[i]).ends_with(U"다."))
        score *= kPredicate;
      if (shares[i] >= kSharedWord) score = kOnlyShared;
      if (score > best.score) best = {answer.begin, answer.end, score};
    }
    best.score = std::max(best.score, 0.0);
    return best;
  }

  // Returns the shared weight around word i, halved with every word of distance.
  static double place(const std::vector<double>& weights, size_t i) {
    double sum = 0;
    for (size_t distance = 1; distance <= kReach; ++distance) {
      const double factor = std::exp2(1.0 - static_cast<double>(distance));
      if (i >= distance) sum += factor * weights[i - distance];
      if (i + distance < weights.size()) sum += factor * weights[i + distance];
    }
    return sum;
  }

  Range without_particle(Range word) const {
    const auto strip = [&] {
      while (word.begin < word.end && !is_letter_or_digit(context_[word.begin])) ++word.begin;
      while (word.begin < word.end && !is_letter_or_digit(context_[word.end - 1]) &&
             context_[word.end - 1] != U'%')
        --word.end;
    };
    strip();
    if (word.begin == word.end) return word;
    word.end = word.begin + split_particle(part(context_, word)).stem.size();
    strip();
    return word;
  }

  View context_;
  bool asks_for_number_;
  Bigrams asked_;
  std::unordered_map<std::u32string, double> sentences_with_;
  double sentences_ = 0;
};

}  // namespace

OverlapAnswer overlap_answer(View context, View question) {
  return OverlapFinder(context, question).find();
}

}  // namespace minibert
