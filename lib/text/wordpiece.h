// The vocabulary of a WordPiece tokenizer and how it takes text, as one string of bytes.
#pragma once

#include <string>
#include <string_view>

namespace minibert {

// What BERT's basic tokenizer does to text, as Hugging Face's tokenizer_config.json names it.
struct WordPieceCasing {
  bool lower_case = true;     // "do_lower_case"
  bool strip_accents = true;  // "strip_accents"; takes Hangul syllables apart, too
  bool operator==(const WordPieceCasing&) const = default;
};

// The casing of a vocab.txt alone, for one that nothing else tells of: cased where a piece that is not
// in brackets has a capital letter; accents stay with the case, and where a piece has a Hangul syllable,
// which no text would meet otherwise.
WordPieceCasing likely_casing(std::string_view vocabulary);

// Bytes of a tokenizer: the vocabulary, with one line of JSON before it that says the casing where
// casing_of() would not find it without.
std::string with_casing(std::string vocabulary, WordPieceCasing casing);

// The casing of a vocab.txt: what the tokenizer_config.json beside it says, else likely_casing(). Throws
// Error naming the key: no boolean, tokenize_chinese_chars false, which BERT's words here have not.
WordPieceCasing casing_beside(const std::string& vocabulary_path);

// Of such bytes. Without that line, as records of before 25 November 2026 are, text is lower-cased and
// loses its accents where no piece but the special ones has a capital letter (bert-base-uncased).
WordPieceCasing casing_of(std::string_view bytes);
// The lines of vocab.txt in such bytes, without a byte order mark.
std::string_view vocabulary_of(std::string_view bytes);

// What tells such bytes from a SentencePiece model: the first line is "[PAD]", perhaps behind the line
// that says the casing.
bool is_wordpiece_vocabulary(std::string_view bytes);

}  // namespace minibert
