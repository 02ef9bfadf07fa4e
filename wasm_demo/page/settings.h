// What a link to the page carries: the sentence and the settings, and their form in the address.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "i18n.h"

namespace minibert::page {

enum class Theme { light, dark };
// What the card beside the sentence shows; `count` is their number.
enum class View { attention, tokens, timing, model, count };
// As links name it: never to be renamed.
std::string_view view_name(View view);

inline constexpr int kMeanHead = -1;
inline constexpr std::array<int, 4> kTops = {5, 10, 20, 50};

struct Settings {
  std::string text;     // UTF-8
  std::string model;    // an id of models.json, empty: the first
  std::string compare;  // empty: none
  Language language = Language::korean;
  std::optional<Theme> theme;  // empty: as the system's
  View view = View::attention;
  int top = 10;         // guesses of each mask, one of kTops
  bool hidden = false;  // for a class: guesses are shown when they are asked for
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
