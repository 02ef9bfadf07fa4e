// Rows, tables and lines that tabs and panels are made of.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawing/ui.h"
#include "state/app.h"
#include "text/figures.h"

namespace minibert::page {

// One row of a list of guesses or answers: the text, what is said at its right, and under them a bar of
// which the whole width is 100 %. True where it was pressed.
struct RowStyle {
  Color bar;
  Color track;
  std::string name;                 // prefix of the rows' names
  std::string title;                // of the list
  size_t strong = 0;                // the row that stands out
  std::optional<Color> right = {};  // of what is said at the right, where that has one of its own
};
bool draw_row(Ui& ui, const std::string& text, float probability, size_t rank,
              const std::string& right, float width, const RowStyle& style);

// A table that the outline has too; a row's bar is a part of its width.
struct TableRow {
  std::vector<std::string> cells;
  float bar = -1;                   // 0 to 1; none where negative
  bool against = false;             // the bar in the second color
  std::optional<Color> color = {};  // or in this one
};
void draw_table(Ui& ui, const char* name, std::string_view label,
                const std::vector<std::string>& heads, const std::vector<TableRow>& rows);

// One "key  value" line of a table; a long value wraps. Its name in the outline is fact_name().
void draw_fact(Ui& ui, std::string_view key, std::string_view value);
std::string fact_name(Ui& ui);
// In the place of what a panel of the first tab would show: why there is nothing yet. `name` in the outline.
void draw_nothing_yet(Ui& ui, App& app, const char* name);

// In the place of the chosen tab's result: why there is none yet, under `name`; false where there is one. `empty`:
// it has nothing, which `when_empty` explains.
bool draw_instead(Ui& ui, App& app, const char* name, bool empty, Word when_empty);
// The best of the chosen tab's result in one line, to press as Alt+1…3, right below its fields; in a class the
// button that shows it.
void draw_best(Ui& ui, App& app);
inline constexpr size_t kMostBest = 3;  // that it shows
// The button that shows what a class was not shown, unless draw_best() has drawn it.
void draw_show(Ui& ui, App& app);
// What may be done with a result: copy it as what `text` gives, save the picture, hide it from a class.
void draw_result_buttons(Ui& ui, App& app, const std::function<std::string()>& text);
// The name of the model that a result is of.
std::string model_name(const App& app, const Result& result);
// What a copy begins with: what the result is about, and the model.
std::string about(const App& app, const Result& result);
// A measure's name in the page's language, where words.def has a row measure_NAME, else its heading; what it was
// and on which split.
std::string measure_name(const Ui& ui, const Figure& figure);
std::string measure_number(const Figure& figure);
std::string measure_split(const Ui& ui, const Figure& figure);
std::string measure_value(const Ui& ui, const Figure& figure);
// How good the chosen model is: `word` with the figures of its card in the place of "{}"; nothing of a model without
// a card.
void draw_figures(Ui& ui, const App& app, Word word, const char* name);
// A fact of a model's file; empty: it has none.
std::string fact(const ModelView& model, std::string_view key);
// A visitor's own file: the page knows of no data that it was trained on, and what it tells of its own models' limits
// need not hold. Only of a loaded model.
bool is_own(const ModelView& model);

// How a row is chosen: by the keys for it, too, where fingers do not say that there are none.
std::string hint_of_rows(const Ui& ui, Word hint);
// A sentence to press, in a row of such; `chosen`: it stands in the field.
bool draw_chip(Ui& ui, const std::string& name, const std::string& sentence, bool chosen,
               bool first);
// The chosen tab's examples, to press; true where one was pressed, which its last field then has.
bool draw_chips(Ui& ui, App& app);

// A piece as people read it: "·" where a word begins, in the place of ▁.
std::string shown_piece(std::string_view piece);
// The same as it is read aloud: without that dot.
std::string spoken_piece(const Ui& ui, std::string_view shown);
// Those of a text; equal ones are told apart by numbers.
std::vector<std::string> shown_pieces(const std::vector<infer::Token>& tokens);

inline double total_ms(const infer::Timing& timing) {
  return timing.tokenize_ms + timing.encoder_ms + timing.output_ms;
}

}  // namespace minibert::page
