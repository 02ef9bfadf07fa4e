// Which paragraphs of a training text also stand in texts that models are evaluated on, told by
// shared n-grams of characters.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/registry.h"

namespace minibert {

// n-grams of the letters and digits of evaluation texts, lower-cased, everything else left out, so
// that spacing, punctuation and markup do not hide a copy. They are kept as 64-bit hashes: that
// one of a million paragraphs meets one of a million by chance has a probability of 2 in 100,000.
// Reading is thread-safe after finish().
class TextOverlap {
 public:
  // Thirty letters are about ten words: GPT-3's decontamination takes 13 (Brown et al. 2020, C).
  static constexpr size_t kLetters = 30;

  // A text; one with fewer letters counts only where it is a whole paragraph.
  void add(std::string_view text);
  void finish();  // after the last add(), before overlaps()

  bool overlaps(std::string_view paragraph) const;
  // Marks in `seen`, of size() flags, the n-grams that stand in the paragraph.
  void mark(std::string_view paragraph, std::vector<bool>* seen) const;
  // Of the n-grams of a text that was added, the share that is marked; 0 where it has no letter.
  double share(std::string_view text, const std::vector<bool>& seen) const;
  std::string sha256() const;                     // of the n-grams, after finish()
  size_t size() const { return hashes_.size(); }  // different n-grams

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);
  size_t place_of(uint64_t hash) const;  // in hashes_, or kNone

  std::vector<uint64_t> hashes_;  // sorted after finish()
  std::vector<bool> may_have_;    // by the hash's low bits: most look-ups end here
};

// Adds what a data set evaluates on: the contexts of all its questions, the paragraphs of its dev
// and test texts, the columns of its dev and test tables that have ten letters or more. Errors: as
// the readers; a data set that has none of these.
void add_evaluation_texts(const ResolvedData& data, TextOverlap* overlap);

// What the data sets of these ids evaluate on, finished. `find` resolves an id.
TextOverlap evaluation_overlap(const std::vector<std::string>& ids,
                               const std::function<ResolvedData(const std::string&)>& find);

}  // namespace minibert
