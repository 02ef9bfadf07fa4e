// The names in a text; pressing one shows it there.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "panels/panels.h"

namespace minibert::page {
namespace {

struct TypeName {
  std::string_view type;  // as KLUE names it
  Word word;
  bool named;  // somebody or something; else a date, a time or a number
};
constexpr TypeName kTypes[] = {
    {"PS", Word::type_person, true}, {"LC", Word::type_place, true},
    {"OG", Word::type_group, true},  {"DT", Word::type_date, false},
    {"TI", Word::type_time, false},  {"QT", Word::type_quantity, false},
};

const TypeName* known(std::string_view type) {
  const auto found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                  [&](const TypeName& one) { return one.type == type; });
  return found == std::end(kTypes) ? nullptr : found;
}

bool is_name(std::string_view type) {
  const TypeName* found = known(type);
  return !found || found->named;
}

std::string as_text(const NamesView& found, Language language) {
  std::string text;
  for (const EntityView& entity : found.entities)
    text += entity.text + "\t" + shown_type(entity.type, language) + "\t" +
            percent(entity.probability) + "\n";
  return text;
}

void draw_list(Ui& ui, App& app, const NamesView& found) {
  if (found.entities.empty())
    ui.paragraph(ui.word(Word::no_names), ui.colors().text, TextSize::body, "no-entities");
  const std::string title(ui.word(Word::names));
  ui.outline().begin(Role::list, "name", title);
  for (size_t k = 0; k < found.entities.size(); ++k) {
    const EntityView& entity = found.entities[k];
    const bool name = is_name(entity.type);
    const RowStyle style{name ? ui.colors().accent : ui.colors().second,
                         name ? ui.colors().soft : ui.colors().soft_second, "name", title,
                         app.chosen_name()};
    const std::string right =
        shown_type(entity.type, ui.language()) + " · " + percent(entity.probability);
    if (draw_row(ui, entity.text, entity.probability, k, right, ui.inner_width(), style))
      app.choose_name(k);
  }
  ui.outline().end();
  draw_read_part(ui, found);
  if (!found.entities.empty())
    ui.paragraph(ui.word(Word::names_hint), ui.colors().muted, TextSize::small, "names-hint");
  draw_result_buttons(ui, app, as_text(found, ui.language()));
  ui.paragraph(milliseconds(found.total_ms) + " · " + found.kernel, ui.colors().muted,
               TextSize::small, "names-time");
}

}  // namespace

std::string shown_type(const std::string& type, Language language) {
  const TypeName* found = known(type);
  return found ? std::string(say(found->word, language)) : type;
}

std::vector<Mark> marks_of_names(const Ui& ui, const App& app) {
  const NamesView* found = app.shows_guesses() ? app.names() : nullptr;
  if (!found) return {};
  const Palette& colors = ui.colors();
  std::vector<Mark> marks;
  for (size_t i = 0; i < found->entities.size(); ++i) {
    const EntityView& entity = found->entities[i];
    const bool name = is_name(entity.type);
    const Color ground = name ? colors.soft : colors.soft_second;
    const Range range = app.range_of(Field::named, entity.begin, entity.end);
    marks.push_back({range, i == app.chosen_name() ? colors.selection : ground,
                     name ? colors.accent : colors.second});
  }
  return marks;
}

void draw_names(Ui& ui, App& app, float width) {
  ui.begin_card("names", ui.word(Word::names), width);
  const auto& found = app.last_names();
  if (!draw_instead(ui, app, "no-names", found ? &found->error : nullptr,
                    found && found->pieces == 0, Word::no_text))
    draw_list(ui, app, *found);
  if (const ModelView* model = app.chosen()) {
    const std::string f1 = fact(*model, "test entity_macro_f1");
    draw_figures(ui, Word::name_figures,
                 {fact(*model, "weights"), fact(*model, "parameters"),
                  f1.empty() ? "" : std::to_string(std::lround(100 * std::atof(f1.c_str())))},
                 "name-figures");
  }
  ui.end_card();
}

void draw_named(Ui& ui, App& app) { draw_chips(ui, app, kNamed); }

}  // namespace minibert::page
