// Cuts sentences of Korean articles into words, and recognizes nouns without a dictionary by the
// particles that follow them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "text/korean.h"

namespace minibert {

// Brackets around titles; their contents are one word.
inline constexpr std::u32string_view kOpeningBrackets = U"《『「〈", kClosingBrackets = U"》』」〉";

inline bool is_one_of(char32_t c, std::u32string_view set) {
  return set.find(c) != std::u32string_view::npos;
}

// A word of a sentence: code points [begin, end) of ClozeSentence::text without surrounding
// punctuation. The contents of 《》, 『』, 「」 or 〈〉 are one word.
struct ClozeWord {
  uint32_t begin, end;
  bool comma = false;  // a comma follows
};

// A sentence without parentheses.
struct ClozeSentence {
  std::u32string text;
  std::vector<uint32_t> origin;  // each code point's place in the context
  std::vector<ClozeWord> words;

  std::u32string_view word(size_t index) const {
    return std::u32string_view(text).substr(words[index].begin,
                                            words[index].end - words[index].begin);
  }
};

// Parses the sentence at code point `offset` of its context.
ClozeSentence parse_sentence(std::u32string_view sentence, uint32_t offset);

// Returns true for particles that only follow nouns: 은, 이, 을, 의, 에, 에서, 에게, 와, 로, in any form.
bool is_noun_particle(const WordParts& parts);

// The nouns of one document.
class NounEvidence {
 public:
  void add(const ClozeSentence& sentence);
  // True for a noun: it occurs at least twice, with at least two different particles. Verbs do not.
  bool recurs(std::u32string_view stem) const;

 private:
  friend class CommonNouns;
  struct Seen {
    uint32_t count = 0;
    std::vector<std::u32string> particles;
  };
  std::unordered_map<std::u32string, Seen> seen_;
};

// Nouns of many documents (지역, 경기), which are too vague to be asked for.
class CommonNouns {
 public:
  void add(const NounEvidence& document);
  // Keeps the nouns of more than `share` of the documents, and of more than three.
  void finish(double share);
  bool contains(std::u32string_view stem) const { return common_.contains(std::u32string(stem)); }
  size_t size() const { return common_.size(); }

 private:
  uint32_t documents_ = 0;
  std::unordered_map<std::u32string, uint32_t> count_;  // until finish()
  std::unordered_set<std::u32string> common_;
};

}  // namespace minibert
