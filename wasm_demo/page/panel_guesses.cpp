// For each mask the ten best pieces with bars; two models side by side with their differences.
#include <algorithm>
#include <cstdio>

#include "panels.h"

namespace minibert::page {
namespace {

constexpr float kRowHeight = 30;
constexpr float kMinColumn = 230;

const GuessView* find(const MaskView* mask, int id) {
  if (!mask) return nullptr;
  const auto found = std::find_if(mask->guesses.begin(), mask->guesses.end(),
                                  [&](const GuessView& guess) { return guess.id == id; });
  return found == mask->guesses.end() ? nullptr : &*found;
}

// The other model's probability for the same piece, as a signed difference in points.
std::string difference(const GuessView& guess, const MaskView* other) {
  const GuessView* same = find(other, guess.id);
  if (!same) return "–";
  char text[24];
  std::snprintf(text, sizeof text, "%+.2f", 100.0f * (guess.probability - same->probability));
  return text;
}

struct ColumnStyle {
  ImU32 bar;
  std::string name;  // prefix of the rows' names
};

// One column of guesses; returns the clicked one.
const GuessView* draw_column(Ui& ui, const MaskView& mask, const MaskView* other, float width,
                             const ColumnStyle& style) {
  const GuessView* clicked = nullptr;
  const float best = mask.guesses.empty() ? 1 : std::max(mask.guesses.front().probability, 1e-6f);
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (size_t k = 0; k < mask.guesses.size(); ++k) {
    const GuessView& guess = mask.guesses[k];
    const std::string name = style.name + "-" + std::to_string(k);
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const ImVec2 high{low.x + width, low.y + ui.px(kRowHeight)};
    if (ImGui::InvisibleButton(name.c_str(), {width, ui.px(kRowHeight)})) clicked = &guess;
    ui.mark_last_item(name);
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const float inset = ui.px(2);
    const float full = width * guess.probability / best;
    list->AddRectFilled({low.x, low.y + inset}, {low.x + std::max(full, ui.px(3)), high.y - inset},
                        style.bar, ui.px(5));
    if (hovered)
      list->AddRect({low.x, low.y + inset}, {high.x, high.y - inset}, ui.colors().accent, ui.px(5));
    const float y = low.y + (ui.px(kRowHeight) - ui.font(TextSize::body)->FontSize) / 2;
    std::string right = percent(guess.probability);
    if (other) right += "  " + difference(guess, other);
    const float right_width = ui.measure(TextSize::small, right).x;
    ui.draw_text({high.x - right_width - ui.px(6), y + ui.px(2)}, TextSize::small,
                 ui.colors().muted, right);
    ui.draw_text({low.x + ui.px(8), y}, TextSize::body, ui.colors().text,
                 ui.elide(TextSize::body, guess.text, width - right_width - ui.px(24)));
    ImGui::SetCursorScreenPos({low.x, high.y});
  }
  return clicked;
}

// The heading of one model's column: its name and the time it took.
void draw_heading(Ui& ui, const App& app, const FillView& fill, float width, ImU32 color) {
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
  const MaskView* other = second && second->error.empty() && index < second->masks.size()
                              ? &second->masks[index]
                              : nullptr;
  ImGui::BeginGroup();
  std::string title = std::string(ui.word(Word::guess)) + " " + std::to_string(index + 1);
  if (other && !other->guesses.empty() && !mask.guesses.empty())
    title += other->guesses.front().id == mask.guesses.front().id
                 ? " · " + std::string(ui.word(Word::same_guess))
                 : " · " + std::string(ui.word(Word::difference));
  ui.label(title, ui.colors().text);
  const float gap = ui.px(10);
  const float column = other ? (width - gap) / 2 : width;
  const std::string prefix = "guess-" + std::to_string(index);
  const GuessView* clicked = nullptr;
  ImGui::BeginGroup();
  draw_heading(ui, app, fill, column, ui.colors().accent);
  clicked = draw_column(ui, mask, other, column, {ui.colors().bar, prefix});
  ImGui::EndGroup();
  if (other) {
    ImGui::SameLine(0, gap);
    ImGui::BeginGroup();
    draw_heading(ui, app, *second, column, ui.colors().second);
    const GuessView* right =
        draw_column(ui, *other, &mask, column, {ui.colors().second_bar, "second-" + prefix});
    if (right) clicked = right;
    ImGui::EndGroup();
  }
  ImGui::EndGroup();
  if (clicked) {
    const GuessView copy = *clicked;
    app.insert_guess(index, copy);
  }
}

}  // namespace

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
  ui.begin_card("guesses", width);
  const auto& fill = app.fill(0);
  if (!fill) {
    ui.label(ui.word(app.chosen() && app.chosen()->state == ModelState::failed ? Word::guesses
                                                                               : Word::loading),
             ui.colors().muted);
  } else if (!fill->error.empty()) {
    ui.paragraph(fill->error, ui.colors().warning, TextSize::body);
  } else if (fill->masks.empty()) {
    ui.paragraph(ui.word(Word::no_mask), ui.colors().muted, TextSize::body);
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
      if (i % columns) ImGui::SameLine(0, gap);
      draw_mask(ui, app, i, each);
    }
    ui.paragraph(ui.word(Word::click_to_insert), ui.colors().muted);
  }
  if (app.fill(1) && !app.fill(1)->error.empty())
    ui.paragraph(app.fill(1)->error, ui.colors().warning);
  ui.end_card();
}

}  // namespace minibert::page
