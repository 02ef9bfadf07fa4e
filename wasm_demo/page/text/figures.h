// Writes figures for people.
#pragma once

#include <string>

#include "words/words.h"

namespace minibert::page {

// Returns "12.3%" or "1.23%". A value that would round to none or all gives "<0.01%" or ">99.9%";
// exactly none and all give "0%" and "100%".
std::string percent(float probability);
// Returns " 12%", " <1%" or " >99%", for speech.
std::string whole_percent(double probability);
// Returns a difference of probabilities in points: "+1.20%p", in English "+1.20 pp"; "=" if it
// rounds to none.
std::string points(float difference, Language language);
// Returns ln(p / (1 - p)); a probability nearer to 0 or 1 than 1e-7 counts as that.
float log_odds(float probability);
// Returns "+0.12", never "-0.00".
std::string signed_number(float value);
std::string milliseconds(double ms);

}  // namespace minibert::page
