// Describes a tab; tabs/tabs.cpp has a row for each. App and frame/ know no tab by name.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drawing/ui.h"
#include "state/field_text.h"
#include "state/messages.h"
#include "state/settings.h"

namespace minibert::page {

class App;

// A highlighted part of a field's text.
struct Mark {
  Range range;
  Color ground, line;  // behind and under it
  bool here = false;   // the current one, which scrolls into view when it becomes current
};

struct FieldLook {
  const char* name;  // of its text element
  Word title, placeholder;
  TextSize size = TextSize::large;
};

// A text that can be edited.
struct Field {
  FieldLook look;
  std::string_view first;  // its text unless a link has another
  bool masks = false;      // "[MASK]" is a blank to fill
  bool lines = false;      // it keeps its line breaks, else it is one line
};

// An inquiry's result as shown; each inquiry has its own kind.
struct Result {
  virtual ~Result() = default;
  std::string model;
  uint64_t revision = 0;  // of the fields at the question
  Bilingual error;        // empty: success
  std::string about;      // the fields' texts, a line each
};

// One of the best parts of a result, in short.
struct Best {
  std::string text;
  std::string right;  // probability or kind
  Color color, ground;
};

using Texts = std::span<const FieldText>;

// A question that one model keeps answering, and its result; web/guesser.js knows its name.
struct Inquiry {
  std::string_view name;
  // Returns the rounds of the question about the fields' texts: [[[function of the engine,
  // …values], …], …].
  Json (*ask)(Texts, const Settings&) = nullptr;
  std::unique_ptr<Result> (*read)(App&, const Message&) = nullptr;
  std::string (*model)(const App&) = nullptr;  // null: the tab's model
  bool on_request = false;  // asked only by App::request(), about the fields' texts at that time
};

inline constexpr size_t kInquiries = 5;

struct Tab {
  TabLink link;
  const char* button;  // of the button that chooses it
  Word title;          // on that button
  const char* card;    // of the card with its fields
  Word card_title;
  Word opening;                   // what it does and what to do, in a line above the fields
  std::span<const Field> fields;  // the last one is edited first
  std::span<const std::string_view> examples;
  // The first texts of examples that have two; the two differ in their first word.
  std::span<const std::string_view> partners = {};
  // The inquiry of its result, and others beside it, which may be missing.
  std::array<Inquiry, kInquiries> inquiries;
  Word limits;  // what its models cannot do
  // Its texts have masks to fill: the toolbar has buttons for them, a second model can be compared,
  // and places of their own show how a guess comes about and how the model learnt.
  bool masks = false;

  // Returns the result in words for screen readers; nothing while it is incomplete.
  std::optional<std::string> (*speak)(const App&) = nullptr;
  const char* result = nullptr;                    // of its result's card
  void (*draw)(Ui&, App&, float width) = nullptr;  // draws its result
  // the best parts of its result, best first
  std::vector<Best> (*best)(const Ui&, const App&) = nullptr;
  void (*draw_examples)(Ui&, App&) = nullptr;                   // null: shown to press
  std::vector<Mark> (*marks)(const Ui&, const App&) = nullptr;  // in the first field; null: none
  // The text shown in each mask; null: "[MASK]"
  std::vector<std::string> (*blanks)(const App&) = nullptr;
  bool (*choose)(App&, size_t rank) = nullptr;  // by Alt+1…9; false: no such part
};

}  // namespace minibert::page
