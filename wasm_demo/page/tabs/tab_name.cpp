// Marks names in a text; pressing one shows it there.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/utf8.h"
#include "panels/parts.h"
#include "state/tab.h"

namespace minibert::page {
namespace {

constexpr std::string_view kNamed[] = {
    "류현진이 2019년 미국 로스앤젤레스에서 공을 던졌다.",
    "김연아 선수는 2010년 캐나다에서 금메달을 땄다.",
    "국회는 지난해 12월 3일 예산안을 통과시켰다.",
    "관객 12만 명이 오후 7시 서울 잠실에서 공연을 봤다.",
};

constexpr Field kFields[] = {
    {{"named-field", Word::sentence, Word::named_placeholder}, kNamed[0]},
};

constexpr size_t kMostRows = 100, kMostSpoken = 20;  // of a long text's names

struct Names : Result {
  infer::TagResult found;
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
  return names;
}

struct TypeName {
  std::string_view type;  // as KLUE names it
  Word word;
};
constexpr TypeName kTypes[] = {
    {"PS", Word::type_person}, {"LC", Word::type_place}, {"OG", Word::type_group},
    {"DT", Word::type_date},   {"TI", Word::type_time},  {"QT", Word::type_quantity},
};

const TypeName* known(std::string_view type) {
  const auto found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                  [&](const TypeName& one) { return one.type == type; });
  return found == std::end(kTypes) ? nullptr : found;
}

struct TypeColor {
  Color ground, line;
};

// One of its own for each kind, of the page's ground so that it is read in light and dark.
TypeColor color_of(const Palette& colors, std::string_view type) {
  const TypeName* found = known(type);
  const Color line =
      found ? colors.kinds[static_cast<size_t>(found - std::begin(kTypes))] : colors.outline;
  return {mix(colors.card, line, 0.16f), line};
}

// Which color is which kind, of the kinds that were found.
void draw_legend(Ui& ui, const infer::TagResult& found) {
  bool first = true;
  for (const TypeName& type : kTypes) {
    const bool there = std::any_of(found.entities.begin(), found.entities.end(),
                                   [&](const auto& entity) { return entity.type == type.type; });
    if (!there) continue;
    const std::string_view text = ui.word(type.word);
    const float box = ui.px(12), width = box + ui.px(6) + ui.measure(TextSize::small, text).x;
    if (!first) ui.flow(width, 14);
    first = false;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float line = ui.font(TextSize::small)->FontSize;
    const float y = at.y + (line - box) / 2;
    const TypeColor color = color_of(ui.colors(), type.type);
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, y}, {at.x + box, y + box}, color.line,
                                              ui.px(3));
    ui.draw_text({at.x + box + ui.px(6), at.y}, TextSize::small, ui.colors().text, text);
    ImGui::Dummy({width, line});
    ui.mark("legend-" + std::string(type.type), ui.last_item());
  }
}

std::string shown_type(const std::string& type, Language language) {
  const TypeName* found = known(type);
  return found ? std::string(say(found->word, language)) : type;
}

std::string as_text(const App& app, const Names& found, Language language) {
  std::string text = about(app, found);
  for (const infer::NamedEntity& entity : found.found.entities)
    text += entity.text + "\t" + shown_type(entity.type, language) + "\t" +
            percent(entity.probability) + "\n";
  return text;
}

void draw_list(Ui& ui, App& app, const Names& found) {
  if (found.found.entities.empty())
    ui.paragraph(ui.word(Word::no_names), ui.colors().text, TextSize::body, "no-entities");
  draw_legend(ui, found.found);
  const std::string title(ui.word(Word::names));
  ui.outline().begin(Role::list, "name", title);
  const size_t count = found.found.entities.size(), rows = std::min(count, kMostRows);
  for (size_t k = 0; k < rows; ++k) {
    const infer::NamedEntity& entity = found.found.entities[k];
    const TypeColor color = color_of(ui.colors(), entity.type);
    const RowStyle style{color.line, color.ground, "name", title, found.chosen, color.line};
    const std::string right =
        shown_type(entity.type, ui.language()) + " · " + percent(entity.probability);
    if (draw_row(ui, entity.text, entity.probability, k, right, ui.inner_width(), style))
      app.take_guess(k);
  }
  ui.outline().end();
  if (count > 0) {
    ImGui::Dummy({1, ui.px(2)});
    if (rows < count)
      ui.paragraph(say(Word::more_names, ui.language(), std::to_string(count - rows)),
                   ui.colors().text, TextSize::small, "more-names");
    ui.paragraph(hint_of_rows(ui, Word::names_hint), ui.colors().muted, TextSize::small,
                 "names-hint");
  }
  draw_result_buttons(ui, app, [&] { return as_text(app, found, ui.language()); });
}

std::optional<std::string> speak(const App& app) {
  const infer::TagResult& found = static_cast<const Names*>(app.result())->found;
  const Language language = app.settings().language;
  if (!app.shows_guesses()) return std::string(say(Word::hidden_guesses, language));
  if (found.pieces == 0) return "";
  std::string spoken(say(found.entities.empty() ? Word::no_names : Word::names, language));
  const size_t count = found.entities.size(), told = std::min(count, kMostSpoken);
  for (size_t i = 0; i < told; ++i)
    spoken += (i == 0 ? ": " : ", ") + found.entities[i].text + " " +
              shown_type(found.entities[i].type, language);
  if (told < count)
    spoken += ". " + say(Word::more_spoken_names, language, std::to_string(count - told));
  return spoken;
}

bool choose(App& app, size_t rank) {
  auto* names = static_cast<Names*>(app.result());
  if (rank >= names->found.entities.size()) return false;
  names->chosen = rank;
  return true;
}

std::vector<Best> best(const Ui& ui, const App& app) {
  const auto& entities = static_cast<const Names*>(app.result())->found.entities;
  std::vector<Best> best;
  for (size_t k = 0; k < std::min(entities.size(), kMostBest); ++k) {  // a long text has thousands
    const infer::NamedEntity& entity = entities[k];
    const TypeColor color = color_of(ui.colors(), entity.type);
    best.push_back({entity.text, shown_type(entity.type, ui.language()), color.line, color.ground});
  }
  return best;
}

std::vector<Mark> mark_names(const Ui& ui, const App& app) {
  const auto* found = app.shows_guesses() ? static_cast<const Names*>(app.current()) : nullptr;
  if (!found) return {};
  std::vector<Mark> marks;
  UnitPlaces places = app.places(0);
  for (const infer::NamedEntity& entity : found->found.entities) {
    const TypeColor color = color_of(ui.colors(), entity.type);
    const Range range = places.range(entity.begin, entity.end);
    marks.push_back({range, color.ground, color.line, marks.size() == found->chosen});
  }
  return marks;
}

void draw_names(Ui& ui, App& app, float width) {
  ui.begin_card("names", ui.word(Word::names), width);
  ui.card_title(ui.word(Word::names));
  const auto* found = static_cast<const Names*>(app.result());
  if (!draw_instead(ui, app, "no-names", found && found->found.pieces == 0, Word::no_text))
    draw_list(ui, app, *found);
  draw_figures(ui, app, Word::name_figures, "name-figures");
  ui.end_card();
}

}  // namespace

Tab name_tab() {
  return {.link = {"names", "task=names", "nm", {"n"}},
          .button = "task-name",
          .title = Word::mark_names,
          .card = "reading",
          .card_title = Word::mark_names,
          .opening = Word::name_opening,
          .fields = kFields,
          .examples = kNamed,
          .inquiries = {{{"names", question, read_names}}},
          .limits = Word::name_limits_text,
          .speak = speak,
          .result = "names",
          .draw = draw_names,
          .best = best,
          .marks = mark_names,
          .choose = choose};
}

}  // namespace minibert::page
