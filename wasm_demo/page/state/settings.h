// What a link to the page carries: the sentence and the settings, and their form in the address.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawing/palette.h"
#include "words/words.h"

namespace minibert::page {

// What the page does with a text, and which models can; the order is that of the tabs.
enum class Task { fill, ask, label, name, count };
// As web/models.js names a model's task.
std::string_view task_name(Task task);

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
  std::optional<Theme> theme;  // empty: as the system's
  Task task = Task::fill;
  std::string question, text_asked;  // UTF-8, of Task::ask
  std::string review, named;         // UTF-8: the texts of Task::label and Task::name
  // An id, empty: the first of the task.
  std::string answer_model, label_model, name_model;
  View view = View::attention;
  int top = 10;         // guesses of each mask, one of kTops
  bool words = false;   // guesses are whole words of several pieces, not single pieces
  bool lesson = false;  // for a class: large type, guesses are shown when they are asked for
  int layer = 0;
  int head = kMeanHead;
  bool operator==(const Settings&) const = default;

  std::string& model_of(Task of);
  const std::string& model_of(Task of) const { return const_cast<Settings*>(this)->model_of(of); }
};

// "t=…&m=…": values percent-encoded (RFC 3986, unreserved characters stay as they are).
std::string to_fragment(const Settings& settings);

// Reads a fragment, with or without its '#', over `defaults`: what is missing, unknown, malformed
// or out of range keeps the default, because a link may come from another version of the page.
Settings from_fragment(std::string_view fragment, const Settings& defaults);

}  // namespace minibert::page
