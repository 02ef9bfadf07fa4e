// For each mask the ten best pieces with bars; two models side by side with their differences.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "host/host.h"
#include "panels/panels.h"

namespace minibert::page {
namespace {

constexpr float kRowHeight = 34;
constexpr float kBarHeight = 5;
constexpr float kMinColumn = 230;

const GuessView* find(const MaskView* mask, const std::string& text) {
  if (!mask) return nullptr;
  const auto found = std::find_if(mask->guesses.begin(), mask->guesses.end(),
                                  [&](const GuessView& guess) { return guess.text == text; });
  return found == mask->guesses.end() ? nullptr : &*found;
}

// The other model's probability for the same word, as a signed difference in points.
std::string difference(const GuessView& guess, const MaskView* other) {
  const GuessView* same = find(other, guess.text);
  if (!same) return "–";
  const float points = std::round(10000.0f * (guess.probability - same->probability)) / 100.0f;
  if (points == 0) return "=";
  char text[24];
  std::snprintf(text, sizeof text, "%+.2f%%p", points);
  return text;
}

// One column of guesses; returns the clicked one.
const GuessView* draw_column(Ui& ui, const MaskView& mask, const MaskView* other, float width,
                             const RowStyle& style) {
  const GuessView* clicked = nullptr;
  ui.outline().begin(Role::list, style.name, style.title);
  for (size_t k = 0; k < mask.guesses.size(); ++k) {
    const GuessView& guess = mask.guesses[k];
    std::string right = percent(guess.probability);
    if (other) right += "  " + difference(guess, other);
    if (draw_row(ui, guess.text, guess.probability, k, right, width, style)) clicked = &guess;
  }
  ui.outline().end();
  return clicked;
}

// The heading of one model's column: its name and the time it took.
void draw_heading(Ui& ui, const App& app, const FillView& fill, float width, Color color) {
  const ModelView* model = app.model(fill.model);
  const std::string time = milliseconds(fill.tokenize_ms + fill.encoder_ms + fill.output_ms);
  const float time_width = ui.measure(TextSize::small, time).x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ui.draw_text(
      at, TextSize::small, color,
      ui.elide(TextSize::small, model ? model->name : fill.model, width - time_width - ui.px(12)));
  ui.draw_text({at.x + width - time_width - ui.px(6), at.y}, TextSize::small, ui.colors().muted,
               time);
  ImGui::Dummy({width, ui.px(18)});
}

// All of one mask: a title, then one column or two.
void draw_mask(Ui& ui, App& app, size_t index, float width) {
  const FillView& fill = *app.fill(0);
  const auto& second = app.fill(1);
  const MaskView& mask = fill.masks[index];
  const bool comparable = second && second->revision == fill.revision && second->error.empty();
  const MaskView* other =
      comparable && index < second->masks.size() ? &second->masks[index] : nullptr;
  // Else the sentence's masks are not those of the guesses, and pressing does nothing.
  const bool current = fill.revision == app.editor().revision();
  ImGui::BeginGroup();
  std::string title = std::string(ui.word(Word::guess)) + " " + std::to_string(index + 1);
  if (other && !other->guesses.empty() && !mask.guesses.empty())
    title += other->guesses.front().text == mask.guesses.front().text
                 ? " · " + std::string(ui.word(Word::same_guess))
                 : " · " + std::string(ui.word(Word::difference));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = ui.font(TextSize::body)->FontSize;
  ui.draw_text({at.x, at.y + (ui.button_height() - line) / 2}, TextSize::body, ui.colors().text,
               ui.elide(TextSize::body, title, width - ui.button_width(ui.word(Word::my_word))));
  ImGui::SetCursorScreenPos({at.x + width - ui.button_width(ui.word(Word::my_word)), at.y});
  if (ui.button(("my-word-" + std::to_string(index)).c_str(), ui.word(Word::my_word)) && current)
    host::ask_word(index);
  const float gap = ui.px(10);
  const float column = other ? (width - gap) / 2 : width;
  const std::string prefix = "guess-" + std::to_string(index);
  const GuessView* clicked = nullptr;
  ImGui::BeginGroup();
  draw_heading(ui, app, fill, column, ui.colors().accent);
  clicked =
      draw_column(ui, mask, nullptr, column, {ui.colors().accent, ui.colors().soft, prefix, title});
  ImGui::EndGroup();
  if (other) {
    ImGui::SameLine(0, gap);
    ImGui::BeginGroup();
    draw_heading(ui, app, *second, column, ui.colors().second);
    const GuessView* right =
        draw_column(ui, *other, &mask, column,
                    {ui.colors().second, ui.colors().soft_second, "second-" + prefix, title});
    if (right) clicked = right;
    ImGui::EndGroup();
  }
  ImGui::EndGroup();
  if (clicked && current) {
    const GuessView copy = *clicked;
    app.insert_guess(index, copy);
  }
}

// "빈칸 1" and its guesses, one a line; or rows of comma-separated values with a heading.
std::string as_text(const Ui& ui, const FillView& fill) {
  std::string text;
  for (size_t i = 0; i < fill.masks.size(); ++i) {
    text += std::string(ui.word(Word::guess)) + " " + std::to_string(i + 1) + "\n";
    for (const GuessView& guess : fill.masks[i].guesses)
      text += guess.text + "\t" + percent(guess.probability) + "\n";
  }
  return text;
}

std::string as_csv(const FillView& fill) {
  std::string text = "mask,rank,text,probability\n";
  for (size_t i = 0; i < fill.masks.size(); ++i)
    for (size_t k = 0; k < fill.masks[i].guesses.size(); ++k) {
      const GuessView& guess = fill.masks[i].guesses[k];
      std::string quoted;
      for (const char c : guess.text) quoted += c == '"' ? std::string(2, c) : std::string(1, c);
      char row[64];
      std::snprintf(row, sizeof row, "%zu,%zu,\"", i + 1, k + 1);
      text += row + quoted;
      std::snprintf(row, sizeof row, "\",%.6f\n", guess.probability);
      text += row;
    }
  return text;
}

// How many guesses, of what, and what can be done with all of them.
void draw_tools(Ui& ui, App& app, const FillView& fill) {
  Settings& settings = app.settings();
  std::vector<std::string> tops;
  size_t current = 0;
  for (size_t i = 0; i < kTops.size(); ++i) {
    tops.push_back(std::to_string(kTops[i]));
    if (kTops[i] == settings.top) current = i;
  }
  const auto picked = ui.select("top", ui.word(Word::top_k), tops, current, ui.px(76));
  if (picked) settings.top = kTops[*picked];
  ui.flow(ui.button_width(ui.word(Word::whole_words)));
  if (ui.toggle("words", ui.word(Word::whole_words), settings.words))
    settings.words = !settings.words;
  const auto next = [&](const char* name, Word word) {
    ui.flow(ui.button_width(ui.word(word)));
    return ui.button(name, ui.word(word));
  };
  if (settings.lesson && next("hide", Word::hide_guesses)) app.hide();
  if (next("copy-text", Word::copy_text)) host::copy_text(as_text(ui, fill));
  if (next("copy-csv", Word::copy_csv)) host::copy_text(as_csv(fill));
  if (next("save-picture", Word::save_picture)) host::save_picture();
}

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

std::string percent(float probability) {
  char text[16];
  std::snprintf(text, sizeof text, probability >= 0.0995f ? "%.1f%%" : "%.2f%%", 100 * probability);
  return text;
}

std::string milliseconds(double ms) {
  char text[24];
  std::snprintf(text, sizeof text, "%.2f ms", ms);
  return text;
}

void draw_guesses(Ui& ui, App& app, float width) {
  ui.begin_card("guesses", ui.word(Word::guesses), width);
  const auto& fill = app.fill(0);
  if (!fill || !fill->error.empty()) {
    draw_nothing_yet(ui, app, "no-guesses");
  } else if (fill->masks.empty()) {
    ui.paragraph(ui.word(Word::no_mask), ui.colors().muted, TextSize::body, "no-mask");
  } else if (!app.shows_guesses()) {
    ui.paragraph(ui.word(Word::hidden_guesses), ui.colors().text, TextSize::body, "hidden");
    if (ui.button("show", ui.word(Word::show_guesses), true, true)) app.reveal();
  } else {
    const float gap = ui.px(16);
    const float wanted = ui.px(app.fill(1) ? 2 * kMinColumn - 60 : kMinColumn);
    const float inner = ui.inner_width();
    const auto fit = static_cast<size_t>(std::max(1.0f, (inner + gap) / (wanted + gap)));
    const size_t columns = std::min(fit, fill->masks.size());
    const float each =
        (inner - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    const size_t count = fill->masks.size();
    for (size_t i = 0; i < count; ++i) {
      if (i % columns)
        ImGui::SameLine(0, gap);
      else if (i)
        ImGui::Dummy({1, ui.px(6)});
      draw_mask(ui, app, i, each);
    }
    ui.paragraph(ui.word(Word::click_to_insert), ui.colors().muted, TextSize::small,
                 "click-to-insert");
    if (app.settings().words)
      ui.paragraph(ui.word(Word::whole_words_hint), ui.colors().muted, TextSize::small,
                   "whole-words-hint");
    draw_tools(ui, app, *fill);
  }
  const auto& second = app.fill(1);
  if (second && !second->error.empty())
    ui.paragraph(second->error.in(ui.language()), ui.colors().warning, TextSize::small,
                 "compare-error");
  ui.end_card();
}

}  // namespace minibert::page
