// What a link to the page carries: the texts and the settings, and their form in the address.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawing/palette.h"
#include "rules/intervention.h"
#include "words/names.h"
#include "words/words.h"

namespace minibert::page {

// How a link names a tab and what is its own. Keys are never to be renamed: links outlive versions of the page.
// web/link.js knows a text by its key of one letter, which is none of a, c, k, l, m, v, x, z; every other key of a new
// tab has two letters or more.
struct TabLink {
  std::string_view task;   // the task's name, as models.json and the engine have it
  std::string_view pair;   // what a link has while the tab is chosen; "" for the first tab
  std::string_view model;  // the key of its model
  std::array<std::string_view, 2>
      texts;  // the keys of its texts, in the order of its fields; "" none
};

// What a link carries of a tab.
struct TabSettings {
  const TabLink* link = nullptr;
  std::string model;                 // an id of models.json, empty: the task's first
  std::array<std::string, 2> texts;  // UTF-8
  bool operator==(const TabSettings&) const = default;
};

// What the card beside the sentence shows. Links have these names: they are never to be changed.
#define MINIBERT_VIEWS(VIEW) VIEW(attention) VIEW(explain) VIEW(training) VIEW(tokens) VIEW(model)
MINIBERT_NAMED(View, MINIBERT_VIEWS)

inline constexpr int kMeanHead = -1;
inline constexpr std::array<int, 4> kTops = {3, 10, 20, 50};
inline constexpr size_t kMostExercises = 40;
inline constexpr int kWholeTraining = 1000;

// How the model is changed inside, and which word is followed through its layers: what `minibert fill-mask
// --without-… --patch … --word` does.
struct ChangeState {
  std::string off;    // as written() in rules/intervention.h: "2,1.3"
  std::string other;  // the text that states are taken from; empty: none are
  int stage = 1;      // after this layer; 0: before the first
  int at = -1;        // the position in both; −1: all
  std::string word;   // empty: none is followed
  bool changes() const { return !off.empty() || !other.empty(); }
  bool operator==(const ChangeState&) const = default;
};

// What is chosen in the explanation.
struct ExplainState {
  int mask = 0;
  int step = 1;  // see panel_explain.cpp
  int head = 0;
  double temperature = 1;
  int shown = 10;    // guesses of the output
  bool own = false;  // of the chosen model, where that is not the one for teaching
  ChangeState change;
  bool operator==(const ExplainState&) const = default;
};

struct Settings {
  std::vector<TabSettings> tabs;       // in the page's order; never empty
  size_t chosen = 0;                   // of them
  std::vector<std::string> exercises;  // of a class, sentences to come to in turn
  std::string compare;                 // a second model for the first tab's task, empty: none
  Language language = Language::korean;
  std::optional<Theme> theme;  // empty: as the system's
  View view = View::attention;
  int top = kTops[0];   // guesses of each mask
  bool words = false;   // guesses are whole words of several pieces, not single pieces
  bool lesson = false;  // for a class: large type, guesses are shown when they are asked for
  int layer = 0;
  int head = kMeanHead;
  int share = kWholeTraining;  // of the training that is looked at, in thousandths
  ExplainState explain;        // a link has it while it is shown
  bool operator==(const Settings&) const = default;

  TabSettings& tab() { return tabs[chosen]; }
  const TabSettings& tab() const { return tabs[chosen]; }
};

// "t=…&m=…": values percent-encoded (RFC 3986, unreserved characters stay as they are). It has the first tab's
// text and model always, those of another tab while that is chosen.
std::string to_fragment(const Settings& settings);

// Reads a fragment, with or without its '#'. What is missing, unknown, malformed or out of range is as at first,
// because a link may come from another version of the page; texts, language and theme are then those of
// `defaults`.
Settings from_fragment(std::string_view fragment, const Settings& defaults);

}  // namespace minibert::page
