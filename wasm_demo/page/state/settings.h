// The contents of a link to the page: the texts and the settings, and their form in the address.
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

// A tab's keys in a link. Keys are never renamed: links outlive versions of the page. web/link.js
// recognizes a text by its key of one letter, which must not be a, c, k, l, m, v, x or z; every
// other key of a new tab has two letters or more.
struct TabLink {
  std::string_view task;   // as in models.json and the engine
  std::string_view pair;   // a link's part for the chosen tab; "" for the first tab
  std::string_view model;  // the key of its model
  // The keys of its texts, in the order of its fields; "": none.
  std::array<std::string_view, 2> texts;
};

// A tab's settings in a link.
struct TabSettings {
  const TabLink* link = nullptr;
  std::string model;                 // an id in models.json; empty: the task's first
  std::array<std::string, 2> texts;  // UTF-8
  bool operator==(const TabSettings&) const = default;
};

// The view of the chosen tab: itself, or a place of its own. Links have these names: they are never to be
// changed.
#define MINIBERT_VIEWS(VIEW) VIEW(sentence) VIEW(explain) VIEW(training) VIEW(model)
MINIBERT_NAMED(View, MINIBERT_VIEWS)

inline constexpr int kAllHeads = -1;
inline constexpr std::array<int, 4> kTops = {3, 10, 20, 50};
inline constexpr size_t kMostExercises = 40;
inline constexpr int kWholeTraining = 1000;

// How the model is changed inside: what `minibert fill-mask --without-… --patch …` does.
struct ChangeState {
  std::string off;    // in the form of written() in rules/intervention.h: "2,1.3"
  std::string other;  // the text to take states from; empty: none
  int stage = 1;      // after this layer; 0: before the first
  int at = -1;        // the position in both; −1: all
  bool changes() const { return !off.empty() || !other.empty(); }
  bool operator==(const ChangeState&) const = default;
};

inline constexpr int kParts = 5;  // of the explanation

// The choices in the explanation.
struct ExplainState {
  int part = 0;  // of kParts: hiding, tokens, mixing, answers, changes
  int mask = 0;
  int head = kAllHeads;  // whose bands are drawn
  bool own = false;      // of the chosen model, where that is not the one for teaching
  ChangeState change;
  bool operator==(const ExplainState&) const = default;
};

struct Settings {
  std::vector<TabSettings> tabs;       // in the page's order; never empty
  size_t chosen = 0;                   // index in `tabs`
  std::vector<std::string> exercises;  // a class's sentences, to visit in turn
  std::string compare;                 // a second model for the first tab's task; empty: none
  Language language = Language::korean;
  std::optional<Theme> theme;  // empty: as the system's
  View view = View::sentence;
  int top = kTops[0];          // guesses of each mask
  bool words = false;          // guesses are whole words of several pieces, not single pieces
  bool lesson = false;         // for a class: large type, guesses are shown when they are asked for
  int share = kWholeTraining;  // of the training that is looked at, in thousandths
  ExplainState explain;        // a link has it while it is shown
  bool operator==(const Settings&) const = default;

  TabSettings& tab() { return tabs[chosen]; }
  const TabSettings& tab() const { return tabs[chosen]; }
};

// Writes "t=…&m=…": values percent-encoded (RFC 3986, unreserved characters stay). Always holds the
// first tab's text and model; another tab's only while it is chosen.
std::string to_fragment(const Settings& settings);

// Reads a fragment, with or without its '#'. A missing, unknown, malformed or out-of-range setting
// gets its first value, because a link may come from another version of the page; texts, language
// and theme then come from `defaults`.
Settings from_fragment(std::string_view fragment, const Settings& defaults);

}  // namespace minibert::page
