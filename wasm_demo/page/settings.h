// What a link to the page carries: the sentence and the settings, and their form in the address.
#pragma once

#include <string>
#include <string_view>

#include "i18n.h"

namespace minibert::page {

enum class Theme { light, dark };
enum class View { attention, tokens, timing, model };

inline constexpr int kMeanHead = -1;

struct Settings {
  std::string text;     // UTF-8
  std::string model;    // an id of models.json, empty: the first
  std::string compare;  // empty: none
  Language language = Language::korean;
  Theme theme = Theme::light;
  View view = View::attention;
  int layer = 0;
  int head = kMeanHead;
  bool operator==(const Settings&) const = default;
};

// "t=…&m=…": values percent-encoded (RFC 3986, unreserved characters stay as they are).
std::string to_fragment(const Settings& settings);

// Reads a fragment, with or without its '#', over `defaults`: what is missing, unknown, malformed
// or out of range keeps the default, because a link may come from another version of the page.
Settings from_fragment(std::string_view fragment, const Settings& defaults);

}  // namespace minibert::page
