// Names marked in a text; pressing one shows it there.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/utf8.h"
#include "panels/parts.h"
#include "state/tab.h"

namespace minibert::page {
namespace {

// Of the last two it takes a particle for a part of a name, and half of a name.
constexpr std::string_view kNamed[] = {
    "류현진이 2019년 미국 로스앤젤레스에서 공을 던졌다.",
    "김연아 선수는 2010년 캐나다 밴쿠버에서 금메달을 땄다.",
    "국회는 지난해 12월 3일 예산안을 통과시켰다.",
    "손흥민은 2015년 8월 토트넘 홋스퍼로 옮겼다.",
};

constexpr Field kFields[] = {
    {{"named-field", Word::sentence, Word::named_placeholder}, kNamed[0]},
};
constexpr FactName kFacts[] = {{"test entity_macro_f1", Word::entity_f1}};

struct Names : Result {
  infer::TagResult found;
  std::string kernel;
  size_t chosen = 0;
};

Json question(Texts texts, const Settings&) {
  Json calls = Json::array();
  if (!is_blank(texts[0].text())) calls.push_back({"tag", to_utf8(texts[0].text())});
  return Json::array({calls});
}

std::unique_ptr<Result> read_names(App&, const Message& message) {
  auto names = std::make_unique<Names>();
  if (message.answers.empty()) return names;
  read(message.answers[0], &names->found);
  read(message.answers[0], "kernel", &names->kernel);
  return names;
}

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

std::string shown_type(const std::string& type, Language language) {
  const TypeName* found = known(type);
  return found ? std::string(say(found->word, language)) : type;
}

std::string as_text(const Names& found, Language language) {
  std::string text;
  for (const infer::NamedEntity& entity : found.found.entities)
    text += entity.text + "\t" + shown_type(entity.type, language) + "\t" +
            percent(entity.probability) + "\n";
  return text;
}

void draw_list(Ui& ui, App& app, const Names& found) {
  if (found.found.entities.empty())
    ui.paragraph(ui.word(Word::no_names), ui.colors().text, TextSize::body, "no-entities");
  const std::string title(ui.word(Word::names));
  ui.outline().begin(Role::list, "name", title);
  for (size_t k = 0; k < found.found.entities.size(); ++k) {
    const infer::NamedEntity& entity = found.found.entities[k];
    const bool name = is_name(entity.type);
    const RowStyle style{name ? ui.colors().accent : ui.colors().second,
                         name ? ui.colors().soft : ui.colors().soft_second, "name", title,
                         found.chosen};
    const std::string right =
        shown_type(entity.type, ui.language()) + " · " + percent(entity.probability);
    if (draw_row(ui, entity.text, entity.probability, k, right, ui.inner_width(), style))
      app.take_guess(k);
  }
  ui.outline().end();
  draw_read_part(ui, found.found.pieces, found.found.read);
  if (!found.found.entities.empty())
    ui.paragraph(ui.word(Word::names_hint), ui.colors().muted, TextSize::small, "names-hint");
  draw_result_buttons(ui, app, as_text(found, ui.language()));
  draw_time(ui, found.found.timing, found.kernel, "names-time");
}

std::optional<std::string> speak(const App& app) {
  const infer::TagResult& found = static_cast<const Names*>(app.result())->found;
  const Language language = app.settings().language;
  if (!app.shows_guesses()) return std::string(say(Word::hidden_guesses, language));
  if (found.pieces == 0) return "";
  std::string spoken(say(found.entities.empty() ? Word::no_names : Word::names, language));
  for (size_t i = 0; i < found.entities.size(); ++i)
    spoken += (i == 0 ? ": " : ", ") + found.entities[i].text + " " +
              shown_type(found.entities[i].type, language);
  return spoken;
}

bool choose(App& app, size_t rank) {
  auto* names = static_cast<Names*>(app.result());
  if (rank >= names->found.entities.size()) return false;
  names->chosen = rank;
  return true;
}

std::vector<Mark> mark_names(const Ui& ui, const App& app) {
  const auto* found = app.shows_guesses() ? static_cast<const Names*>(app.current()) : nullptr;
  if (!found) return {};
  const Palette& colors = ui.colors();
  std::vector<Mark> marks;
  for (size_t i = 0; i < found->found.entities.size(); ++i) {
    const infer::NamedEntity& entity = found->found.entities[i];
    const bool name = is_name(entity.type);
    const Color ground = name ? colors.soft : colors.soft_second;
    const Range range = app.range_of(0, entity.begin, entity.end);
    marks.push_back({range, i == found->chosen ? colors.selection : ground,
                     name ? colors.accent : colors.second});
  }
  return marks;
}

void draw_names(Ui& ui, App& app, float width) {
  ui.begin_card("names", ui.word(Word::names), width);
  const auto* found = static_cast<const Names*>(app.result());
  if (!draw_instead(ui, app, "no-names", found && found->found.pieces == 0, Word::no_text))
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

}  // namespace

Tab name_tab() {
  return {.link = {"names", "task=names", "nm", {"n"}},
          .button = "task-name",
          .title = Word::mark_names,
          .card = "reading",
          .card_title = Word::mark_names,
          .fields = kFields,
          .examples = kNamed,
          .inquiries = {{{"names", question, read_names}}},
          .limits = Word::name_limits_text,
          .facts = kFacts,
          .speak = speak,
          .draw = draw_names,
          .marks = mark_names,
          .choose = choose};
}

}  // namespace minibert::page
