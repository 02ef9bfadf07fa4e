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

}  // namespace

bool draw_row(Ui& ui, const std::string& text, float probability, size_t rank,
              const std::string& right, float width, const RowStyle& style) {
  const std::string name = style.name + "-" + std::to_string(rank);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float height = ui.px(ui.target(kRowHeight));
  const ImVec2 high{low.x + width, low.y + height};
  const std::string spoken = std::to_string(rank + 1) + ". " + text + " " + right;
  const bool pressed = ui.target_area(name, spoken, {width, height});
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
               best ? ui.colors().text : ui.colors().muted, right);
  ui.draw_text({left, middle - body / 2 + ui.px(1)}, TextSize::body,
               best ? style.bar : ui.colors().text,
               ui.elide(TextSize::body, text, right_end - left - right_width - ui.px(8)));
  ImGui::SetCursorScreenPos({low.x, high.y});
  return pressed;
}

bool draw_chip(Ui& ui, const std::string& name, const std::string& sentence, bool chosen,
               bool first) {
  const float padding = ui.px(12), height = ui.px(ui.target(30));
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

bool draw_chips(Ui& ui, App& app) {
  const std::span<const std::string_view> texts = app.tab().examples;
  ui.outline().begin(Role::list, "examples", ui.word(Word::examples));
  ui.label(ui.word(Word::examples), ui.colors().muted, TextSize::small);
  const std::string now = to_utf8(app.field(app.tab().fields.size() - 1).text());
  std::string_view pressed;
  for (size_t i = 0; i < texts.size(); ++i)
    if (draw_chip(ui, "example-" + std::to_string(i), std::string(texts[i]), now == texts[i],
                  i == 0))
      pressed = texts[i];
  ui.outline().end();
  if (!pressed.empty()) app.use_example(pressed);
  return !pressed.empty();
}

bool draw_instead(Ui& ui, App& app, const char* name, bool empty, Word when_empty) {
  const Result* result = app.result();
  const ModelView* model = app.chosen();
  if (model && model->state == ModelState::failed) {
    ui.paragraph(model->error.in(ui.language()), ui.colors().warning, TextSize::body, name);
  } else if (!result) {
    ui.paragraph(ui.word(Word::loading), ui.colors().muted, TextSize::body, name);
  } else if (!result->error.empty()) {
    ui.paragraph(result->error.in(ui.language()), ui.colors().warning, TextSize::body, name);
  } else if (empty) {
    ui.paragraph(ui.word(when_empty), ui.colors().muted, TextSize::body, name);
  } else if (!app.shows_guesses()) {
    ui.paragraph(ui.word(Word::hidden_guesses), ui.colors().text, TextSize::body, "hidden");
    if (ui.button("show", ui.word(Word::show_guesses), true, true)) app.reveal();
  } else {
    return false;
  }
  return true;
}

void draw_result_buttons(Ui& ui, App& app, const std::string& text) {
  if (ui.button("copy-text", ui.word(Word::copy_text))) host::copy_text(text);
  ui.flow(ui.button_width(ui.word(Word::save_picture)));
  if (ui.button("save-picture", ui.word(Word::save_picture))) host::save_picture();
  if (!app.settings().lesson) return;
  ui.flow(ui.button_width(ui.word(Word::hide_guesses)));
  if (ui.button("hide", ui.word(Word::hide_guesses))) app.hide();
}

void draw_read_part(Ui& ui, size_t pieces, size_t read) {
  if (read < pieces)
    ui.paragraph(say(Word::read_part, ui.language(), std::to_string(read)), ui.colors().warning,
                 TextSize::small, "read-part");
}

void draw_figures(Ui& ui, Word word, std::initializer_list<std::string> values, const char* name) {
  std::string text(ui.word(word));
  for (const std::string& value : values) {
    if (value.empty()) return;
    text.replace(text.find("{}"), 2, value);
  }
  ui.paragraph(text, ui.colors().muted, TextSize::small, name);
}

std::string fact(const ModelView& model, std::string_view key) {
  for (const auto& [name, value] : model.facts)
    if (name == key) return value;
  return {};
}

std::string shown_piece(std::string_view piece) {
  constexpr std::string_view kWordStart = "▁";
  std::string text;
  for (size_t at = 0; at < piece.size();) {
    const bool start = piece.substr(at).starts_with(kWordStart);
    text += start ? "·" : std::string(1, piece[at]);
    at += start ? kWordStart.size() : 1;
  }
  return text;
}

void draw_table(Ui& ui, const char* name, std::string_view label,
                const std::vector<std::string>& heads, const std::vector<TableRow>& rows) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float line = ui.px(24), column = ui.inner_width() / static_cast<float>(heads.size());
  OutlineNode& table = ui.outline().add(Role::table, name, label);
  table.columns = static_cast<int>(heads.size());
  table.cells = heads;
  float y = origin.y;
  for (size_t i = 0; i < heads.size(); ++i)
    ui.draw_text({origin.x + column * static_cast<float>(i), y}, TextSize::small, ui.colors().muted,
                 ui.elide(TextSize::small, heads[i], column - ui.px(6)));
  for (const TableRow& row : rows) {
    y += line;
    if (row.bar >= 0)
      ImGui::GetWindowDrawList()->AddRectFilled(
          {origin.x, y + line - ui.px(7)},
          {origin.x + ui.inner_width() * std::min(1.0f, row.bar), y + line - ui.px(5)},
          row.against ? ui.colors().second : ui.colors().accent, ui.px(1));
    for (size_t i = 0; i < row.cells.size(); ++i)
      ui.draw_text({origin.x + column * static_cast<float>(i), y}, TextSize::small,
                   ui.colors().text, ui.elide(TextSize::small, row.cells[i], column - ui.px(6)));
    table.cells.insert(table.cells.end(), row.cells.begin(), row.cells.end());
  }
  ImGui::Dummy({ui.inner_width(), y + line - origin.y});
}

void draw_nothing_yet(Ui& ui, const App& app, std::string_view name) {
  const Fill* fill = app.fill();
  const ModelView* chosen = app.chosen();
  if (fill && !fill->error.empty()) {
    ui.paragraph(fill->error.in(ui.language()), ui.colors().warning, TextSize::body, name);
  } else if (!fill && chosen && chosen->state == ModelState::failed) {
    ui.paragraph(chosen->error.in(ui.language()), ui.colors().warning, TextSize::body, name);
  } else {
    ui.paragraph(ui.word(fill && fill->found.tokens.empty() ? Word::no_text : Word::loading),
                 ui.colors().muted, TextSize::body, name);
  }
}

void draw_time(Ui& ui, const infer::Timing& timing, const std::string& kernel, const char* name) {
  ui.paragraph(milliseconds(total_ms(timing)) + " · " + kernel, ui.colors().muted, TextSize::small,
               name);
}

void draw_fact(Ui& ui, std::string_view key, std::string_view value) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float indent = std::min(ui.px(130), ui.inner_width() * 0.4f);
  ui.draw_text({at.x, at.y + ui.px(1)}, TextSize::small, ui.colors().muted,
               ui.elide(TextSize::small, key, indent - ui.px(8)));
  ImGui::SetCursorScreenPos({at.x + indent, at.y});
  ui.paragraph(value, ui.colors().text);
  const Box box = ui.last_item();
  ui.outline().add(Role::text, "fact-" + std::to_string(ui.outline().nodes().size()),
                   std::string(key) + ": " + std::string(value), box);
}

std::string percent(float probability) {
  char text[16];
  std::snprintf(text, sizeof text, probability >= 0.0995f ? "%.1f%%" : "%.2f%%", 100 * probability);
  return text;
}

std::string whole_percent(double probability) {
  char text[16];
  std::snprintf(text, sizeof text, " %.0f%%", 100 * probability);
  return text;
}

std::string milliseconds(double ms) {
  char text[24];
  std::snprintf(text, sizeof text, "%.2f ms", ms);
  return text;
}

}  // namespace minibert::page
