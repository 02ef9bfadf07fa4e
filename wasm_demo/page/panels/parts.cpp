// Rows, tables and lines that tabs and panels are made of.
#include "panels/parts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/utf8.h"
#include "host/host.h"

namespace minibert::page {
namespace {

constexpr float kRowHeight = 34;
constexpr float kBarHeight = 5;
constexpr float kChipHeight = 30, kChipPadding = 12;
constexpr float kMostBestWidth = 320;
constexpr size_t kMostWords = 12;  // shown

// Draws a sentence to press, in a row of sentences; `chosen`: the field holds it.
bool draw_chip(Ui& ui, const std::string& name, const std::string& sentence, bool chosen,
               bool first) {
  const float padding = ui.px(kChipPadding), height = ui.px(ui.target(kChipHeight));
  const std::string text = ui.elide(TextSize::small, sentence, ui.inner_width() - 2 * padding);
  const ImVec2 extent = ui.measure(TextSize::small, text);
  const float width = extent.x + 2 * padding;
  if (!first) ui.flow(width);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const bool pressed = ui.target_area(name, sentence, {width, height});
  const ImVec2 high{low.x + width, low.y + height};
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(low, high, hovered ? ui.colors().button_hover : ui.colors().soft, height / 2);
  list->AddRect(low, high, chosen ? ui.colors().accent : ui.colors().outline, height / 2, 0,
                ui.px(chosen ? 2 : 1));
  ui.draw_text({low.x + padding, low.y + (height - extent.y) / 2}, TextSize::small,
               ui.colors().text, text);
  return pressed;
}

}  // namespace

bool draw_row(Ui& ui, const std::string& text, float probability, size_t rank,
              const std::string& right, float width, const RowStyle& style) {
  const std::string name = style.name + "-" + std::to_string(rank);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float height = ui.px(ui.target(kRowHeight));
  const ImVec2 high{low.x + width, low.y + height};
  const std::string spoken = std::to_string(rank + 1) + ". " + text + " " + right;
  const bool pressed = ui.target_area(name, spoken, {width, height}, probability);
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool best = rank == style.strong;
  const float inset = ui.px(1);
  if (hovered || best)
    list->AddRectFilled({low.x, low.y + inset}, {high.x, high.y - inset},
                        hovered ? ui.colors().button_hover : style.track, ui.px(5));
  const float bar_top = high.y - ui.px(kBarHeight + 3);
  const float left = low.x + ui.px(8), right_end = high.x - ui.px(8);
  const float full = (right_end - left) * probability;
  list->AddRectFilled({left, bar_top}, {right_end, bar_top + ui.px(kBarHeight)},
                      best || hovered ? ui.colors().border : style.track, ui.px(2.5f));
  list->AddRectFilled({left, bar_top},
                      {left + std::max(full, ui.px(2)), bar_top + ui.px(kBarHeight)}, style.bar,
                      ui.px(2.5f));
  const float middle = (low.y + bar_top) / 2;
  const float right_width = ui.measure(TextSize::small, right).x;
  const float body = ui.font(TextSize::body)->FontSize, small = ui.font(TextSize::small)->FontSize;
  ui.draw_text({right_end - right_width, middle - small / 2 + ui.px(1)}, TextSize::small,
               style.right.value_or(best ? ui.colors().text : ui.colors().muted), right);
  ui.draw_text({left, middle - body / 2 + ui.px(1)}, TextSize::body,
               best ? style.bar : ui.colors().text,
               ui.elide(TextSize::body, text, right_end - left - right_width - ui.px(8)));
  ImGui::SetCursorScreenPos({low.x, high.y});
  return pressed;
}

bool draw_chips(Ui& ui, App& app) {
  const Tab& tab = app.tab();
  const bool exercises = tab.masks && !app.settings().exercises.empty();
  std::vector<std::string> texts(tab.examples.begin(), tab.examples.end());
  if (exercises) texts = app.settings().exercises;
  const std::string_view title = ui.word(exercises ? Word::exercises : Word::examples);
  ui.outline().begin(Role::list, "examples", title);
  ui.label(title, ui.colors().muted, TextSize::small);
  const std::string now = to_utf8(app.field(tab.fields.size() - 1).text());
  std::optional<size_t> pressed;
  for (size_t i = 0; i < texts.size(); ++i) {
    std::string shown = exercises ? std::to_string(i + 1) + ". " + texts[i] : texts[i];
    if (!tab.partners.empty())
      shown = std::string(tab.partners[i].substr(0, tab.partners[i].find(' '))) + " ↔ " + shown;
    if (draw_chip(ui, "example-" + std::to_string(i), shown, now == texts[i], i == 0)) pressed = i;
  }
  ui.outline().end();
  if (!pressed) return false;
  app.use_example(texts[*pressed]);
  if (!tab.partners.empty())
    app.apply(0, {{0, app.field(0).text().size()}, to_code_points(tab.partners[*pressed])});
  return true;
}

bool draw_instead(Ui& ui, App& app, const char* name, bool empty, Word when_empty) {
  const Result* result = app.result();
  const ModelView* model = app.chosen();
  if (model && model->state == ModelState::failed) {
    ui.paragraph(ui.word(Word::no_model), ui.colors().muted, TextSize::body, name);
  } else if (!result) {
    ui.paragraph(ui.word(Word::loading), ui.colors().muted, TextSize::body, name);
  } else if (!result->error.empty()) {
    ui.paragraph(result->error.in(ui.language()), ui.colors().warning, TextSize::body, name);
  } else if (empty) {
    ui.paragraph(ui.word(when_empty), ui.colors().muted, TextSize::body, name);
  } else if (!app.shows_guesses()) {
    ui.paragraph(ui.word(Word::hidden_guesses), ui.colors().text, TextSize::body, "hidden");
    draw_show(ui, app);
  } else {
    return false;
  }
  return true;
}

void draw_show(Ui& ui, App& app) {
  if (ui.outline().has("show")) return;
  if (app.tab().masks) {
    const std::string mine = app.own_guess(), label(ui.word(Word::own_guess));
    if (ui.button("own-guess", mine.empty() ? label : label + ": " + mine))
      host::ask_line("guess", mine);
    ui.flow(ui.button_width(ui.word(Word::show_guesses)));
  }
  if (ui.button("show", ui.word(Word::show_guesses), true, Weight::primary)) app.reveal();
}

void draw_best(Ui& ui, App& app) {
  if (!app.shows_guesses()) return draw_show(ui, app);
  const float gap = ui.px(6), height = ui.px(46), padding = ui.px(10);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  std::vector<Best> best;
  if (const Result* result = app.result(); result && result->error.empty())
    best = app.tab().best(ui, app);
  best.resize(std::min(best.size(), kMostBest));
  const auto each = [&] {
    const auto count = static_cast<float>(best.size());
    return (ui.inner_width() - gap * (count - 1)) / count;
  };
  // The first one is read whole, if need be alone.
  while (best.size() > 1 && ui.measure(TextSize::body, best[0].text).x > each() - 2 * padding)
    best.pop_back();
  if (!best.empty()) {
    ui.outline().begin(Role::list, "best", ui.word(Word::best));
    const float width = std::min(each(), ui.px(kMostBestWidth));
    const float body = ui.font(TextSize::body)->FontSize,
                small = ui.font(TextSize::small)->FontSize;
    const float top = (height - body - small - ui.px(2)) / 2;
    size_t pressed = best.size();
    for (size_t k = 0; k < best.size(); ++k) {
      const ImVec2 low{origin.x + (width + gap) * static_cast<float>(k), origin.y};
      const ImVec2 high{low.x + width, low.y + height};
      ImGui::SetCursorScreenPos(low);
      const std::string name = "best-" + std::to_string(k);
      const std::string spoken = best[k].text + " " + best[k].right;
      bool hovered = false;
      if (app.tab().choose) {
        if (ui.target_area(name, spoken, {width, height})) pressed = k;
        hovered = ImGui::IsItemHovered();
        if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      } else {
        ImGui::Dummy({width, height});
        ui.mark(name, ui.last_item());
        ui.outline().add(Role::text, name, spoken, ui.last_item());
      }
      ImDrawList* list = ImGui::GetWindowDrawList();
      list->AddRectFilled(low, high, hovered ? ui.colors().button_hover : best[k].ground, ui.px(8));
      list->AddRect(low, high, best[k].color, ui.px(8), 0, ui.px(k == 0 ? 2 : 1));
      const auto centred = [&](TextSize size, const std::string& text, float y, Color color) {
        const std::string shown = ui.elide(size, text, width - 2 * ui.px(4));
        ui.draw_text({low.x + (width - ui.measure(size, shown).x) / 2, y}, size, color, shown);
      };
      centred(TextSize::body, best[k].text, low.y + top, k == 0 ? best[k].color : ui.colors().text);
      centred(k == 0 ? TextSize::strong : TextSize::small, best[k].right,
              low.y + top + body + ui.px(2), ui.colors().text);
    }
    ui.outline().end();
    if (pressed < best.size()) app.take_guess(pressed);
  }
  // What is below stays where it is until there is a result, and not where that is none.
  if (best.empty() && (app.current() || app.editor().text().empty())) return;
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({ui.inner_width(), height});
}

void draw_left_out(Ui& ui, const App& app) {
  if (!app.settings().lesson) return;
  std::string words;
  for (const std::string_view word : kClassWords)
    words += (words.empty() ? "" : ", ") + std::string(word);
  ui.paragraph(say(Word::left_out, ui.language(), words), ui.colors().muted, TextSize::small,
               "left-out");
}

void draw_result_buttons(Ui& ui, App& app, const std::function<std::string()>& text) {
  const auto quiet = [&](const char* name, Word word) {
    return ui.button(name, ui.word(word), true, Weight::quiet);
  };
  if (quiet("copy-text", Word::copy_text)) host::copy_text(text());
  ui.flow(ui.button_width(ui.word(Word::save_picture)));
  if (quiet("save-picture", Word::save_picture)) host::save_picture();
  if (!app.settings().lesson) return;
  ui.flow(ui.button_width(ui.word(Word::hide_guesses)));
  if (quiet("hide", Word::hide_guesses)) app.hide();
}

std::string model_name(const App& app, const Result& result) {
  const ModelView* model = app.model(result.model);
  return model ? model->shown.in(app.settings().language) : result.model;
}

std::string about(const App& app, const Result& result) {
  return result.about + "\n" + model_name(app, result) + "\n";
}

std::string measure_name(const Ui& ui, const Figure& figure) {
  const std::optional<Word> known = word_named("measure_" + figure.name);
  return known ? std::string(ui.word(*known)) : figure.heading;
}

std::string measure_number(const Figure& figure) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", figure.decimals, figure.value);
  return text;
}

std::string measure_split(const Ui& ui, const Figure& figure) {
  const std::optional<Word> split = word_named("split_" + figure.split);
  return split ? std::string(ui.word(*split)) : figure.split;
}

std::string measure_value(const Ui& ui, const Figure& figure) {
  return measure_number(figure) + " (" + measure_split(ui, figure) + ")";
}

void draw_figures(Ui& ui, const App& app, Word word, const char* name) {
  const ModelView* model = app.chosen();
  if (!model || model->card.empty()) return;
  std::string figures;
  for (const Figure& figure : model->card)
    figures +=
        (figures.empty() ? "" : ", ") + measure_name(ui, figure) + " " + measure_value(ui, figure);
  ui.paragraph(say(model->is_own() ? Word::own_figures : word, ui.language(), figures),
               ui.colors().muted, TextSize::small, name);
}

constexpr std::string_view kWordStart = "▁";

bool begins_word(std::string_view piece) { return piece.starts_with(kWordStart); }

std::string shown_piece(std::string_view piece) {
  std::string text(piece);
  for (size_t at = 0; (at = text.find(kWordStart, at)) != text.npos;)
    text.erase(at, kWordStart.size());
  return text.empty() ? "·" : text;
}

std::vector<std::string> shown_pieces(const std::vector<infer::Token>& tokens) {
  std::vector<std::string> pieces;
  for (const infer::Token& token : tokens) pieces.push_back(shown_piece(token.piece));
  return numbered(std::move(pieces));
}

namespace {

// "12.3%", "+0.12", "–": a column of figures is aligned at its right end.
bool is_figure(std::string_view text) {
  if (text.empty() || text == "–") return true;
  const char first = text.front(), last = text.back();
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return (digit(first) || first == '+' || first == '-' || first == '<') &&
         (digit(last) || last == '%' || text.ends_with("%p") || text.ends_with(" pp"));
}

}  // namespace

void draw_table(Ui& ui, const char* name, std::string_view label,
                const std::vector<std::string>& heads, const std::vector<TableRow>& rows) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float line = ui.px(26), gap = ui.px(10);
  const float text_top = (line - ui.font(TextSize::small)->FontSize) / 2;
  const size_t columns = heads.size();
  const auto any = [&](auto&& is) { return std::any_of(rows.begin(), rows.end(), is); };
  const bool bars = any([](const TableRow& row) { return row.bar >= 0; });
  const bool both = any([](const TableRow& row) { return row.against; });  // from the middle on
  // The bars have a column of their own behind the others.
  const float column =
      ui.inner_width() / (static_cast<float>(columns) + (bars ? ui.compact() ? 0.45f : 0.7f : 0));
  OutlineNode& table = ui.outline().add(Role::table, name, label);
  table.columns = static_cast<int>(columns);
  table.cells = heads;
  std::vector<bool> figures(columns, true);
  for (const TableRow& row : rows)
    for (size_t i = 0; i < columns; ++i) figures[i] = figures[i] && is_figure(row.cells[i]);
  float y = origin.y;
  const auto draw_cells = [&](const std::vector<std::string>& cells, TextSize size, Color color) {
    for (size_t i = 0; i < cells.size(); ++i) {
      const float x = origin.x + column * static_cast<float>(i);
      const std::string text = ui.elide(size, cells[i], column - gap);
      const float shift = figures[i] ? column - gap - ui.measure(size, text).x : 0;
      ui.draw_text({x + shift, y + text_top}, size, color, text);
    }
  };
  ImDrawList* list = ImGui::GetWindowDrawList();
  std::vector<std::vector<std::string>> headings;
  size_t most = 1;
  for (const std::string& head : heads) {
    headings.push_back(ui.lines(TextSize::strong, head, column - gap));
    most = std::max(most, headings.back().size());
  }
  // The last lines stand side by side.
  const float next = ui.font(TextSize::strong)->FontSize + ui.px(2);
  for (size_t i = 0; i < most; ++i) {
    std::vector<std::string> cells(columns);
    for (size_t k = 0; k < columns; ++k)
      if (const size_t above = most - headings[k].size(); i >= above)
        cells[k] = headings[k][i - above];
    if (i > 0) y += next;
    draw_cells(cells, TextSize::strong, ui.colors().muted);
  }
  for (const TableRow& row : rows) {
    y += line;
    list->AddRectFilled({origin.x, y}, {origin.x + ui.inner_width(), y + std::max(1.0f, ui.px(1))},
                        ui.colors().border);
    draw_cells(row.cells, TextSize::small, ui.colors().text);
    const float begin = origin.x + column * static_cast<float>(columns) + gap;
    const float room = (origin.x + ui.inner_width() - begin) / (both ? 2 : 1);
    const float width = room * std::clamp(row.bar, 0.0f, 1.0f);
    const float left = begin + (both ? room : 0) - (row.against ? width : 0);
    if (both)
      list->AddRectFilled({begin + room - ui.px(0.5f), y}, {begin + room + ui.px(0.5f), y + line},
                          ui.colors().outline);
    if (row.bar >= 0 && width >= ui.px(1))
      list->AddRectFilled(
          {left, y + line / 2 - ui.px(4)}, {left + width, y + line / 2 + ui.px(4)},
          row.color.value_or(row.against ? ui.colors().warning : ui.colors().accent), ui.px(3));
    table.cells.insert(table.cells.end(), row.cells.begin(), row.cells.end());
  }
  ImGui::Dummy({ui.inner_width(), y + line - origin.y});
}

float effect(float best, const infer::WordWeight& word) {
  return log_odds(best) - log_odds(word.probability);
}

void draw_word_weights(Ui& ui, const App& app, size_t field, float best,
                       std::vector<infer::WordWeight> words, float strong,
                       const std::vector<std::string>& heads, const WordColors& colors) {
  const auto size = [&](const infer::WordWeight& word) { return std::abs(effect(best, word)); };
  std::stable_sort(words.begin(), words.end(),
                   [&](const auto& a, const auto& b) { return size(a) > size(b); });
  words.resize(std::min(words.size(), kMostWords));
  if (!words.empty()) strong = std::max(strong, size(words.front()));
  std::vector<TableRow> rows;
  for (const infer::WordWeight& word : words) {
    const float gain = effect(best, word);
    rows.push_back(
        {{app.text_at(field, word.begin, word.end), percent(word.probability), signed_number(gain)},
         std::abs(gain) / strong,
         gain < 0,
         gain < 0 ? colors.hinders : colors.helps});
  }
  ui.section(ui.word(Word::word_weights), "weights-title");
  draw_table(ui, "word-weights", ui.word(Word::word_weights), heads, rows);
}

void draw_nothing_yet(Ui& ui, App& app, const char* name) {
  const Fill* fill = app.fill();
  if (!draw_instead(ui, app, name, fill && fill->found.tokens.empty(), Word::no_text))
    ui.paragraph(ui.word(Word::loading), ui.colors().muted, TextSize::body, name);
}

void draw_fact(Ui& ui, std::string_view key, std::string_view value) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float indent = std::min(ui.px(130), ui.inner_width() * 0.4f);
  ui.draw_text({at.x, at.y + ui.px(1)}, TextSize::small, ui.colors().muted,
               ui.elide(TextSize::small, key, indent - ui.px(8)));
  ImGui::SetCursorScreenPos({at.x + indent, at.y});
  ui.paragraph(value, ui.colors().text);
  const Box box = ui.last_item();
  ui.outline().add(Role::text, fact_name(ui), std::string(key) + ": " + std::string(value), box);
}

std::string hint_of_rows(const Ui& ui, Word hint) {
  return say(hint, ui.language(), ui.touch() ? "" : ui.word(Word::or_digit_keys));
}

std::string fact_name(Ui& ui) { return "fact-" + std::to_string(ui.outline().nodes().size()); }

}  // namespace minibert::page
