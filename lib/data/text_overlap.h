// Finds paragraphs of a training text that are also in evaluation texts
// (data/splits/evaluation_texts.h), by shared n-grams of characters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

// Returns the part of a text that is compared: letters and digits, ASCII in lower case.
std::u32string letters_of(std::string_view text);

// Holds n-grams of letters_of() evaluation texts, so that spacing, punctuation and markup do not
// hide a copy. n-grams are 64-bit hashes: the probability that one of a million paragraphs meets
// one of a million by chance is 2 in 100,000. Reading is thread-safe after finish().
class TextOverlap {
 public:
  // Thirty letters are about ten words; GPT-3's decontamination takes 13 (Brown et al. 2020, C).
  static constexpr size_t kLetters = 30;

  // Adds a text. A text with fewer letters than kLetters counts only as a whole paragraph.
  void add(std::string_view text);
  void finish();  // call after the last add() and before the calls below

  bool overlaps(std::string_view paragraph) const;
  // Marks the paragraph's n-grams in `seen`, which has size() flags.
  void mark(std::string_view paragraph, std::vector<bool>* seen) const;
  // Returns the marked share of an added text's n-grams; 0 if it has no letter.
  double share(std::string_view text, const std::vector<bool>& seen) const;
  std::string sha256() const;                     // of the n-grams, after finish()
  size_t size() const { return hashes_.size(); }  // different n-grams

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);
  size_t place_of(uint64_t hash) const;  // in hashes_, or kNone

  std::vector<uint64_t> hashes_;  // sorted after finish()
  std::vector<bool> may_have_;    // by the hash's low bits: most look-ups end here
};

}  // namespace minibert
