// BERT's basic tokenizer: cuts a text into the normalized words that WordPiece cuts further (Devlin
// et al. 2019; tokenization.py, as in Hugging Face's BertTokenizerFast).
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
    uint32_t begin, end;  // bytes of the input text
  };
  std::vector<Character> characters;  // of `text`, in order
};

// How letters are treated before cutting, named as in Hugging Face's BertNormalizer.
struct BertTreatment {
  bool lower_case = true;
  // Decomposes letters (NFD) and drops combining marks; Hangul syllables become jamo.
  bool strip_accents = true;
  bool split_ideographs = true;  // every CJK ideograph is a word of its own
  bool operator==(const BertTreatment&) const = default;
};

// Returns the words of `text`; throws Error if it is not UTF-8. Control characters, U+0000 and
// U+FFFD are dropped; white space divides words; every punctuation mark is a word of its own.
// Letters are lower-cased one by one (a Σ at a word's end becomes σ). The bytes of a dropped mark
// count to the character before it.
std::vector<BertWord> bert_words(std::string_view text, const BertTreatment& treatment);

}  // namespace minibert
