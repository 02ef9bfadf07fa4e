// The page's parts below and beside the editor. Each draws one card or its inside.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "drawing/ui.h"
#include "editor/editor_view.h"
#include "state/app.h"

namespace minibert::page {

// What is chosen in the explanation.
struct ExplainState {
  int mask = 0;
  int step = 1;  // see panel_explain.cpp
  int head = 0;
  double temperature = 1;
  int shown = 10;  // guesses of the output
};

// What the panels keep between frames, and figures that are not in the app's state.
struct PanelState {
  int attention_from =
      -1;  // the token that is looked from, -1 for none; stays when the pointer leaves
  int attention_to = -1;  // of the heat map's cell that was last pointed at
  ExplainState explain;
  uint64_t frames = 0;
  double page_megabytes = 0;
  double texture_megabytes = 0;
};

// One choice of the card beside the sentence; its name in links is view_name(view).
struct Panel {
  View view;
  Word title;
  void (*draw)(Ui&, App&, PanelState&);
};
extern const std::array<Panel, static_cast<size_t>(View::count)> kPanels;

void draw_header(Ui& ui, App& app, float width);
void draw_toolbar(Ui& ui, App& app);
void draw_guesses(Ui& ui, App& app, float width);
void draw_answers(Ui& ui, App& app, float width);
void draw_examples(Ui& ui, App& app);
void draw_questions(Ui& ui, App& app);  // examples of them
void draw_labels(Ui& ui, App& app, float width);
void draw_reviews(Ui& ui, App& app);  // examples
void draw_names(Ui& ui, App& app, float width);
void draw_named(Ui& ui, App& app);  // examples
// Where the text shows them.
std::vector<Mark> marks_of_answer(const Ui& ui, const App& app);
std::vector<Mark> marks_of_words(const Ui& ui, const App& app);
std::vector<Mark> marks_of_names(const Ui& ui, const App& app);
// Example texts to press, for the field that is edited.
void draw_chips(Ui& ui, App& app, std::span<const std::string_view> texts);
// The chooser of panels and the chosen one.
void draw_details(Ui& ui, App& app, PanelState& state, float width);

void draw_attention(Ui& ui, App& app, PanelState& state);
void draw_explain(Ui& ui, App& app, PanelState& state);
void draw_tokens(Ui& ui, App& app, PanelState& state);
void draw_timing(Ui& ui, App& app, PanelState& state);
void draw_model(Ui& ui, App& app, PanelState& state);

// One row of a list of guesses or answers: the text, what is said at its right, and under them a bar of
// which the whole width is 100 %. True where it was pressed.
struct RowStyle {
  Color bar;
  Color track;
  std::string name;   // prefix of the rows' names
  std::string title;  // of the list
  size_t strong = 0;  // the row that stands out
};
bool draw_row(Ui& ui, const std::string& text, float probability, size_t rank,
              const std::string& right, float width, const RowStyle& style);

// A table that the outline has too; a row's bar is a part of its width.
struct TableRow {
  std::vector<std::string> cells;
  float bar = -1;        // 0 to 1; none where negative
  bool against = false;  // the bar in the second color
};
void draw_table(Ui& ui, const char* name, std::string_view label,
                const std::vector<std::string>& heads, const std::vector<TableRow>& rows);

// One "key  value" line of a table; a long value wraps.
void draw_fact(Ui& ui, std::string_view key, std::string_view value);
// In the place of what a panel would show: why there is nothing yet. `name` in the outline.
void draw_nothing_yet(Ui& ui, const App& app, std::string_view name);

// In the place of a task's result: why there is none yet, under `name`; false where there is one. `error`: of
// the last result, null where there is none yet; `empty`: it has nothing, which `when_empty` explains.
bool draw_instead(Ui& ui, App& app, const char* name, const Bilingual* error, bool empty,
                  Word when_empty);
// What may be done with a result: copy it as `text`, save the picture, hide it from a class.
void draw_result_buttons(Ui& ui, App& app, const std::string& text);
// That a text was too long to be read whole, where it was.
void draw_read_part(Ui& ui, const ReadView& read);
// What the model is and how good: `word` with `values` in the places of its "{}"; nothing where one is empty.
void draw_figures(Ui& ui, Word word, std::initializer_list<std::string> values, const char* name);
// A fact of a model's file; empty: it has none.
std::string fact(const ModelView& model, std::string_view key);

// Labels and types of names as people read them; others as they are.
std::string shown_label(const std::string& label, Language language);
std::string shown_type(const std::string& type, Language language);

// A piece as people read it: "·" where a word begins, in the place of ▁.
std::string shown_piece(std::string_view piece);

// "12.3%" and "1.23 ms".
std::string percent(float probability);
std::string milliseconds(double ms);

}  // namespace minibert::page
