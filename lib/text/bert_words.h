// BERT's basic tokenizer: text as the normalized words that WordPiece cuts (Devlin et al. 2019;
// tokenization.py, in the form of Hugging Face's BertTokenizerFast).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace minibert {

struct BertWord {
  std::string text;  // normalized, UTF-8
  struct Character {
    uint32_t at;          // first byte in `text`
    uint32_t begin, end;  // bytes of the given text that it stands for
  };
  std::vector<Character> characters;  // of `text`, in order
};

// How letters are treated before they are cut, by the names that Hugging Face's BertNormalizer has.
struct BertTreatment {
  bool lower_case = true;
  // Letters are decomposed (NFD) and lose their combining marks. Hangul syllables fall to jamo.
  bool strip_accents = true;
  bool split_ideographs = true;  // every CJK ideograph is a word of its own
  bool operator==(const BertTreatment&) const = default;
};

// Words of `text`, which must be UTF-8 (else Error). Control characters, U+0000 and U+FFFD are
// dropped; white space divides words; every punctuation mark is a word of its own. Letters are
// lower-cased one by one (a Σ at a word's end becomes σ). A dropped mark counts to the bytes of the
// character before it.
std::vector<BertWord> bert_words(std::string_view text, const BertTreatment& treatment);

}  // namespace minibert
