// Rows, tables and lines for tabs and panels.
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

// One row of a list of guesses or answers: the text, a note at its right, and under them a bar
// whose full width is 100 %. Returns true if it was pressed.
struct RowStyle {
  Color bar;
  Color track;
  std::string name;                 // prefix of the rows' names
  std::string title;                // the list's
  size_t strong = 0;                // the emphasized row
  std::optional<Color> right = {};  // the note's own color, if any
};
bool draw_row(Ui& ui, const std::string& text, float probability, size_t rank,
              const std::string& right, float width, const RowStyle& style);

// A table, also in the outline; a row's bar is a part of its width.
struct TableRow {
  std::vector<std::string> cells;
  float bar = -1;                   // 0 to 1; none where negative
  bool against = false;             // less than 0: the bars of such a table begin in the middle
  std::optional<Color> color = {};  // or in this one
};
void draw_table(Ui& ui, const char* name, std::string_view label,
                const std::vector<std::string>& heads, const std::vector<TableRow>& rows);

// Returns the log odds that the best label, whose probability is `best`, loses without the word.
float effect(float best, const infer::WordWeight& word);
struct WordColors {
  Color helps, hinders;
};
// Draws the effects of a text's words on its best label, the largest first. A bar is full at `strong`, or at the largest.
void draw_word_weights(Ui& ui, const App& app, size_t field, float best,
                       std::vector<infer::WordWeight> words, float strong,
                       const std::vector<std::string>& heads, const WordColors& colors);
// Draws one "key  value" line of a table; a long value wraps. fact_name(): its name in the outline.
void draw_fact(Ui& ui, std::string_view key, std::string_view value);
std::string fact_name(Ui& ui);
// Tells why a panel of the first tab is still empty. `name`: in the outline.
void draw_nothing_yet(Ui& ui, App& app, const char* name);

// Tells, under `name`, why the chosen tab has no result yet; returns false if it has one. `empty`:
// the result has no content, which `when_empty` explains.
bool draw_instead(Ui& ui, App& app, const char* name, bool empty, Word when_empty);
// Draws the best of the chosen tab's result in one line right below its fields, to press as
// Alt+1…3; in a class, the button that reveals it.
void draw_best(Ui& ui, App& app);
inline constexpr size_t kMostBest = 3;  // that it shows
// The button that shows what a class was not shown, and one for a pupil's own guess, unless draw_best() has drawn them.
void draw_show(Ui& ui, App& app);
// In a class, the words that its guesses lack.
void draw_left_out(Ui& ui, const App& app);
// Draws a result's actions: copy it as `text` returns it, save the picture, hide it.
void draw_result_buttons(Ui& ui, App& app, const std::function<std::string()>& text);
std::string model_name(const App& app, const Result& result);
// Returns the beginning of a copy: the result's subject and the model.
std::string about(const App& app, const Result& result);
// Return a measure's name in the page's language (words.def's row measure_NAME if there is one,
// else its heading), its number and its split.
std::string measure_name(const Ui& ui, const Figure& figure);
std::string measure_number(const Figure& figure);
std::string measure_split(const Ui& ui, const Figure& figure);
std::string measure_value(const Ui& ui, const Figure& figure);
// Draws `word` with the chosen model's figures in place of "{}"; nothing without a card.
void draw_figures(Ui& ui, const App& app, Word word, const char* name);

// Tells how to choose a row; names the keys unless the user has only fingers.
std::string hint_of_rows(const Ui& ui, Word hint);
// Draws the chosen tab's examples, or a class's exercises. Returns true if one was pressed and is in the last field.
bool draw_chips(Ui& ui, App& app);

// A piece as people read it, without ▁ where a word begins; "·" for a ▁ alone.
std::string shown_piece(std::string_view piece);
bool begins_word(std::string_view piece);
// Those of a text; equal ones are told apart by numbers.
std::vector<std::string> shown_pieces(const std::vector<infer::Token>& tokens);

inline double total_ms(const infer::Timing& timing) {
  return timing.tokenize_ms + timing.encoder_ms + timing.output_ms;
}

}  // namespace minibert::page
