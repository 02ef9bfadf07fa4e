// Messages from JavaScript: models and results, from JSON (see web/page_bridge.js).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "state/read_json.h"
#include "words/names.h"

namespace minibert::page {

// A model's answers to the question of an inquiry (web/guesser.js).
struct Message {
  std::string model;
  uint64_t revision = 0;      // of the fields at the question
  Bilingual error;            // empty: success
  std::vector<Json> answers;  // of the engine's functions, in the order of the calls
};

// As web/models.js calls them.
#define MINIBERT_STATES(STATE) STATE(available) STATE(loading) STATE(ready) STATE(failed)
MINIBERT_NAMED(ModelState, MINIBERT_STATES)

// A measure of a model's run.
struct Figure {
  std::string name, heading, split;
  int decimals = 0;
  double value = 0;
};

struct ModelView {
  std::string id;
  std::string name;
  Bilingual shown;  // on the page
  std::string task;
  ModelState state = ModelState::available;
  double progress = 0;
  Bilingual error;
  double bytes = 0;                                        // of its file
  std::vector<std::pair<std::string, std::string>> facts;  // key (see panel_facts.cpp) and value
  std::vector<Figure> card;                                // how good it is
  Bilingual shape;        // what it is made of; empty until it is loaded
  bool teaching = false;  // a BERT as courses have it
  bool large = false;     // takes the first one's place once it is there
  bool series = false;    // several states of one training, for the view of that alone
  // A fact of its file; empty: it has none.
  std::string fact(std::string_view key) const;
  // A visitor's own file, once it is loaded: the page knows of no data that it was trained on, and what it tells of its
  // own models' limits need not hold.
  bool is_own() const { return state == ModelState::ready && fact("data").empty(); }
};

// Return nothing if the JSON does not have the agreed form.
std::optional<Message> read_message(std::string_view json);
std::optional<std::vector<ModelView>> read_models(std::string_view json);
std::optional<Bilingual> read_bilingual(std::string_view json);

}  // namespace minibert::page
