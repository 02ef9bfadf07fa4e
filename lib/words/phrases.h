// What the program says to people, in English or Korean: one table, phrases.def.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace minibert {

enum class Language { english, korean };

// The language that the program speaks: English until main() chooses another one.
void set_language(Language language);
Language language();

// Returns the row of phrases.def in `in`; `english` itself in English or where there is no row. "{0}", "{1}", … are
// replaced by `values`; "{0|은|는}" is the value and the particle that fits its last character: the first one after a
// consonant. Digits and Latin letters are read as in Korean (EM은, F1은).
std::string phrase(std::string_view english, const std::vector<std::string>& values = {},
                   Language in = language());

// Returns an error's line in Korean where phrases.def has a row that it fits; else the line as it is.
std::string korean_error(const std::string& line);

}  // namespace minibert
