// The interface's words in Korean and English: words.def has a row for each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace minibert::page {

enum class Language { korean, english };

// A text in both languages, which follows the page's language.
struct Bilingual {
  std::string korean, english;
  bool empty() const { return korean.empty() && english.empty(); }
  const std::string& in(Language language) const {
    return language == Language::korean ? korean : english;
  }
  bool operator==(const Bilingual&) const = default;
};

#define WORD(name, korean, english) name,
#define SCRIPT_WORD(name, korean, english)
#define ERROR_WORD(name, korean, english)
enum class Word {
#include "../../words.def"
  count
};
#undef WORD
#undef SCRIPT_WORD
#undef ERROR_WORD

std::string_view say(Word word, Language language);
// Returns the word of the row `name`: names from models, such as a measure's, may have a row.
std::optional<Word> word_named(std::string_view name);
// Returns the word with `value` in place of "{}".
std::string say(Word word, Language language, std::string_view value);
// The same with a value for each "{}" in turn.
std::string say_all(Word word, Language language, const std::vector<std::string>& values);
Bilingual both(Word word, std::string_view value);

}  // namespace minibert::page
