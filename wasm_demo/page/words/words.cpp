#include "words/words.h"

namespace minibert::page {
namespace {

struct Row {
  std::string_view name, korean, english;
};

#define WORD(name, korean, english) {#name, korean, english},
#define SCRIPT_WORD(name, korean, english)
#define ERROR_WORD(name, korean, english)
constexpr Row kRows[] = {
#include "../../words.def"
};
#undef WORD
#undef SCRIPT_WORD
#undef ERROR_WORD

}  // namespace

std::string_view say(Word word, Language language) {
  const Row& row = kRows[static_cast<size_t>(word)];
  return language == Language::korean ? row.korean : row.english;
}

std::optional<Word> word_named(std::string_view name) {
  for (size_t i = 0; i < std::size(kRows); ++i)
    if (kRows[i].name == name) return static_cast<Word>(i);
  return std::nullopt;
}

std::string say(Word word, Language language, std::string_view value) {
  std::string text(say(word, language));
  const size_t at = text.find("{}");
  return at == std::string::npos ? text : text.replace(at, 2, value);
}

std::string say_all(Word word, Language language, const std::vector<std::string>& values) {
  std::string text(say(word, language));
  size_t at = 0;
  for (const std::string& value : values) {
    at = text.find("{}", at);
    if (at == text.npos) break;
    text.replace(at, 2, value);
    at += value.size();
  }
  return text;
}

Bilingual both(Word word, std::string_view value) {
  return {say(word, Language::korean, value), say(word, Language::english, value)};
}

}  // namespace minibert::page
