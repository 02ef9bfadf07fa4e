// What a tab of the page is: tabs/tabs.cpp has a row for each. App and frame/ know no tab by its name.
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

// A part of a field's text that is shown apart.
struct Mark {
  Range range;
  Color ground, line;  // behind it and under it
  bool here = false;   // it is the one looked at: scrolled to when it becomes that
};

// How a field is shown.
struct FieldLook {
  const char* name;  // of its text element
  Word title, placeholder;
  TextSize size = TextSize::large;
};

// A text that can be edited.
struct Field {
  FieldLook look;
  std::string_view first;  // its text where no link gives another
  bool masks = false;      // "[MASK]" is a blank to fill
};

// What an inquiry shows of its model's answers; each has its own kind.
struct Result {
  virtual ~Result() = default;
  std::string model;
  uint64_t revision = 0;  // of the fields when it was asked
  Bilingual error;        // empty: success
  std::string about;      // what stood in the fields, a line each
};

// One of the best parts of a result, as it is shown in short.
struct Best {
  std::string text;
  std::string right;  // how probable, or of which kind
  Color color, ground;
};

using Texts = std::span<const FieldText>;

// One question that one model keeps being asked, and what is shown of its answers; web/guesser.js knows it by its
// name.
struct Inquiry {
  std::string_view name;
  // The rounds of the question about what stands in the tab's fields: [[[function of the engine, …values], …], …].
  Json (*ask)(Texts, const Settings&) = nullptr;
  std::unique_ptr<Result> (*read)(App&, const Message&) = nullptr;
  std::string (*model)(const App&) = nullptr;  // null: the tab's model
  bool on_request = false;  // asked by App::request() alone, about the fields as they are then
};

inline constexpr size_t kInquiries = 5;

struct Tab {
  TabLink link;
  const char* button;  // the name of the button that chooses it
  Word title;          // on that button
  const char* card;    // the name of the card with its fields
  Word card_title;
  Word opening;                   // what it does and what to do, in a line above the fields
  std::span<const Field> fields;  // the last one is edited first
  std::span<const std::string_view> examples;
  // Its result's, and others beside it, which may be missing.
  std::array<Inquiry, kInquiries> inquiries;
  Word limits;  // what its models cannot do
  // Whether its texts have masks to fill: the toolbar has buttons for them, a second model can be chosen to
  // compare with, and the panels (kPanels) show what the model did.
  bool masks = false;

  // The result in words, for screen readers; empty: it is not complete.
  std::optional<std::string> (*speak)(const App&) = nullptr;
  const char* result = nullptr;                                 // the name of its result's card
  void (*draw)(Ui&, App&, float width) = nullptr;               // its result
  std::vector<Best> (*best)(const Ui&, const App&) = nullptr;   // of its result, best first
  void (*draw_examples)(Ui&, App&) = nullptr;                   // null: as they are, to press
  std::vector<Mark> (*marks)(const Ui&, const App&) = nullptr;  // in the first field; null: none
  std::vector<std::string> (*blanks)(const App&) =
      nullptr;                                  // what stands in each mask; null: "[MASK]"
  bool (*choose)(App&, size_t rank) = nullptr;  // by Alt+1…9; false if there is none; null: none is
};

}  // namespace minibert::page
