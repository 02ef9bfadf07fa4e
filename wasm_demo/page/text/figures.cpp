#include "text/figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/percent.h"

namespace minibert::page {
namespace {

std::string written(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

std::string percent(float probability) { return minibert::percent(probability); }

std::string whole_percent(double probability) {
  if (probability > 0 && probability < 0.005) return " <1%";
  if (probability >= 0.995 && probability < 1) return " >99%";
  return written(" %.0f%%", 100 * probability);
}

std::string points(float difference, Language language) {
  const float rounded = std::round(10000.0f * difference) / 100.0f;
  if (rounded == 0) return "=";
  return written("%+.2f", rounded) + (language == Language::korean ? "%p" : " pp");
}

float log_odds(float probability) {
  const float p = std::clamp(probability, 1e-7f, 1 - 1e-7f);
  return std::log(p / (1 - p));
}

std::string signed_number(float value) {
  return written(std::abs(value) < 0.005f ? "0.00" : "%+.2f", value);
}

std::string milliseconds(double ms) { return written("%.2f ms", ms); }

}  // namespace minibert::page
