// A probability as the program, minibert-ask and the page write it for people. Without exceptions.
#pragma once

#include <cstdio>
#include <string>

namespace minibert {

// "12.3%", "1.23%"; what rounding would make none or all of it is "<0.01%" and ">99.9%", and these are "0%" and "100%".
inline std::string percent(double probability) {
  if (probability == 0 || probability == 1) return probability == 0 ? "0%" : "100%";
  if (probability < 0.00005) return "<0.01%";
  if (probability >= 0.9995) return ">99.9%";
  char text[32];
  std::snprintf(text, sizeof text, probability >= 0.0995 ? "%.1f%%" : "%.2f%%", 100 * probability);
  return text;
}

}  // namespace minibert
