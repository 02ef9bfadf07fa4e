#include "checkpoint/added_pieces.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "checkpoint/checkpoint.h"
#include "core/characters.h"
#include "core/error.h"
#include "core/utf8.h"
#include "text/python_text.h"

namespace minibert {
namespace {

std::optional<bool> flag_in(const nlohmann::json& token, const char* key,
                            const std::string& where) {
  const nlohmann::json found = token.value(key, nlohmann::json());
  if (found.is_null()) return {};
  if (!found.is_boolean())
    throw Error(where + ": " + key + ": found " + shown_value(found) + ", expected true or false");
  return found.get<bool>();
}

[[noreturn]] void refuse_flag(const AddedPiece& piece, const char* flag, std::optional<bool> found,
                              const std::string& expected) {
  const std::string seen = !found ? "nothing" : *found ? "true" : "false";
  throw Error(piece.where + ": " + flag + ": found " + seen + ", expected " + expected);
}

// A letter that lower-casing changes, or makes of another.
bool has_case(char32_t c) {
  constexpr char32_t kBehindCapitals = 0x20000;  // no script further on has any
  static const std::set<char32_t> small = [] {
    std::set<char32_t> out;
    for (char32_t letter = U'A'; letter < kBehindCapitals; ++letter) {
      const std::u32string made = lower({&letter, 1});
      if (made.size() != 1 || made[0] != letter) out.insert(made.begin(), made.end());
    }
    return out;
  }();
  return small.contains(c) || lower({&c, 1}) != std::u32string(1, c);
}

// What treatment does to a text so that the piece is found where it is typed otherwise; empty where it does nothing.
std::string change_that_finds(const std::string& piece, const BertTreatment& treatment) {
  for (const char32_t c : to_code_points(piece)) {
    const bool ascii_letter = (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
    if (treatment.lower_case && has_case(c)) return "is lower-cased";
    // Syllables fall to letters, and any letter can have a mark that goes.
    if (treatment.strip_accents && (ascii_letter || c >= 0x80)) return "loses its accents";
    if (is_python_space(c)) return "has its white space made one";
  }
  return {};
}

// Whether `second` can begin inside `first`, so that a text which is searched for both from left to right has the
// first alone.
bool can_hide(std::string_view first, std::string_view second) {
  for (size_t at = first.size() > second.size() ? 0 : 1; at < first.size(); ++at) {
    const size_t shared = std::min(first.size() - at, second.size());
    if (first.substr(at, shared) == second.substr(0, shared)) return true;
  }
  return false;
}

}  // namespace

AddedPiece read_added_piece(const nlohmann::json& token, const std::string& where, bool special) {
  AddedPiece out;
  out.where = where;
  out.special = flag_in(token, "special", where).value_or(special);
  out.single_word = flag_in(token, "single_word", where).value_or(false);
  out.rstrip = flag_in(token, "rstrip", where).value_or(false);
  out.normalized = flag_in(token, "normalized", where);
  out.lstrip = flag_in(token, "lstrip", where);
  return out;
}

void check_added_to_wordpiece(const AddedPieces& pieces, const BertTreatment& treatment) {
  for (const auto& [text, piece] : pieces) {
    if (piece.single_word)
      refuse_flag(piece, "single_word", true, "false, as pieces are found inside words here");
    if (!piece.in_treated_text()) continue;
    if (const std::string change = change_that_finds(text, treatment); !change.empty())
      refuse_flag(piece, "normalized", piece.normalized,
                  "false, as pieces are found here before the text " + change);
    // The library finds all that are in the text as it is typed first.
    for (const auto& [other, typed] : pieces)
      if (!typed.in_treated_text() && can_hide(text, other))
        refuse_flag(piece, "normalized", piece.normalized,
                    "false as of \"" + other + "\", whose letters it has");
  }
}

void check_added_to_bytes(const AddedPieces& pieces, const std::string& mask) {
  for (const auto& [text, piece] : pieces) {
    if (piece.single_word)
      refuse_flag(piece, "single_word", true, "false, as pieces are found inside words here");
    if (piece.rstrip)
      refuse_flag(piece, "rstrip", true, "false, as the space behind a special piece stays here");
    if (text != mask && piece.lstrip.value_or(false))
      refuse_flag(piece, "lstrip", true, "false, as the space before it stays here");
  }
}

}  // namespace minibert
