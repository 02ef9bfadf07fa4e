// Pieces beside a vocabulary, as Hugging Face's tokenizers library finds them in a text, and whether ours are found so.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "text/bert_words.h"

namespace minibert {

// What a file says of one, by the names that an AddedToken has.
struct AddedPiece {
  std::string where;  // the file, the key in it and the piece, for messages
  bool special = false, single_word = false, rstrip = false;
  std::optional<bool> normalized, lstrip;  // none where nothing is said

  // The library treats text and piece alike before it finds the one in the other.
  bool in_treated_text() const { return normalized.value_or(!special); }
};
using AddedPieces = std::map<std::string, AddedPiece>;  // by the piece's text

// `special`: of one that does not say it. Throws Error naming `where` and the flag: neither true nor false.
AddedPiece read_added_piece(const nlohmann::json& token, const std::string& where, bool special);

// WordPiece finds added pieces in the text as it is typed, the longest first. Space around one makes no piece, so that
// lstrip and rstrip change none. Throws Error naming place and flag: a piece that the library finds in other places.
void check_added_to_wordpiece(const AddedPieces& pieces, const BertTreatment& treatment);

// The special pieces of RoBERTa's bytes: the space before `mask` goes, be it that the library keeps it (lstrip false),
// and every other stays. Throws Error as above.
void check_added_to_bytes(const AddedPieces& pieces, const std::string& mask);

}  // namespace minibert
