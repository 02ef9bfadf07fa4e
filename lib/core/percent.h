// Writes a probability for people, for the program, minibert-ask and the page. Without exceptions.
#pragma once

#include <cstdio>
#include <string>

namespace minibert {

// Returns "12.3%" or "1.23%". A value that would round to none or all gives "<0.01%" or ">99.9%";
// exactly none and all give "0%" and "100%".
inline std::string percent(double probability) {
  if (probability == 0 || probability == 1) return probability == 0 ? "0%" : "100%";
  if (probability < 0.00005) return "<0.01%";
  if (probability >= 0.9995) return ">99.9%";
  char text[32];
  std::snprintf(text, sizeof text, probability >= 0.0995 ? "%.1f%%" : "%.2f%%", 100 * probability);
  return text;
}

}  // namespace minibert
