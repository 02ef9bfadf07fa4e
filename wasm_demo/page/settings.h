// What a link to the page carries: the sentence and the settings, and their form in the address.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "i18n.h"

namespace minibert::page {

enum class Theme { light, dark };
// What the card beside the sentence shows; `count` is their number.
enum class View { attention, explain, tokens, timing, model, count };
// As links name it: never to be renamed.
std::string_view view_name(View view);

inline constexpr int kMeanHead = -1;
inline constexpr std::array<int, 4> kTops = {5, 10, 20, 50};
inline constexpr size_t kMostExercises = 40;

struct Settings {
  std::string text;                    // UTF-8
  std::vector<std::string> exercises;  // of a class, sentences to come to in turn
  std::string model;                   // an id of models.json, empty: the first
  std::string compare;                 // empty: none
  Language language = Language::korean;
  std::optional<Theme> theme;        // empty: as the system's
  bool asking = false;               // questions are asked about a text, instead of masks filled
  std::string question, text_asked;  // UTF-8
  std::string answer_model;          // an id, empty: the first that answers questions
  View view = View::attention;
  int top = 10;         // guesses of each mask, one of kTops
  bool words = false;   // guesses are whole words of several pieces, not single pieces
  bool lesson = false;  // for a class: large type, guesses are shown when they are asked for
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
