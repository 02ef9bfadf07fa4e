// How figures are written for people.
#pragma once

#include <string>

#include "words/words.h"

namespace minibert::page {

// "12.3%", "1.23%"; what rounding would make none or all of it is "<0.01%" and ">99.9%", and these are "0%" and "100%".
std::string percent(float probability);
// " 12%", " <1%" and " >99%": as it is spoken.
std::string whole_percent(double probability);
// "+1.20%p", in English "+1.20 pp": a difference of probabilities in points; "=": none that is shown.
std::string points(float difference, Language language);
// "1.23 ms".
std::string milliseconds(double ms);

}  // namespace minibert::page
