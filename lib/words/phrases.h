// The program's sentences for people, in English or Korean: one table, phrases.def.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace minibert {

enum class Language { english, korean };

// The program's language: English until main() sets another.
void set_language(Language language);
Language language();

// Returns the row of phrases.def in `in`; `english` itself in English or without a row. `values`
// replace "{0}", "{1}", …; "{0|은|는}" is the value and the particle that fits its last character,
// the first form after a consonant. Digits and Latin letters are read as in Korean (EM은, F1은).
std::string phrase(std::string_view english, const std::vector<std::string>& values = {},
                   Language in = language());

// Returns the line of an error or a note in the program's language: in Korean if a row of
// phrases.def fits, else unchanged.
std::string told(const std::string& line);

}  // namespace minibert
