// Attention of one layer and head: the pieces with lines from the one under the pointer, and the
// heat map below. Both light up together.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "panels.h"

namespace minibert::page {
namespace {

constexpr float kChipHeight = 28;
constexpr float kMaxCell = 34;
constexpr float kLabelSpace = 84;

struct Area {
  ImVec2 low, high;
  ImVec2 top() const { return {(low.x + high.x) / 2, low.y}; }
};

// Square root, because most weights are small.
ImU32 heat(const Palette& colors, float weight) {
  return mix(colors.soft, colors.accent, std::sqrt(std::max(0.0f, weight)));
}

int draw_choice(Ui& ui, Word word, const char* prefix, int first, int count, int current) {
  int picked = current;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float label = ui.measure(TextSize::small, ui.word(word)).x;
  ui.draw_text({at.x, at.y + ui.px(9)}, TextSize::small, ui.colors().muted, ui.word(word));
  ImGui::Dummy({label, ui.px(34)});
  for (int i = first; i < count; ++i) {
    const std::string text = i < 0 ? std::string(ui.word(Word::average)) : std::to_string(i + 1);
    ui.flow(ui.button_width(text), 4);
    const std::string name = std::string(prefix) + "-" + std::to_string(i);
    if (ui.toggle(name.c_str(), text, i == current)) picked = i;
  }
  return picked;
}

// The pieces as chips over several lines, each tinted by how much `*from` looks at it; hovering
// one makes it that.
std::vector<Area> draw_chips(Ui& ui, const AttentionView& attention, const Settings& settings,
                             int* from) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float gap = ui.px(6);
  const float row_gap = ui.px(20);  // room for the lines
  float x = origin.x, y = origin.y + row_gap;
  std::vector<Area> areas;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (size_t i = 0; i < attention.tokens.size(); ++i) {
    const std::string& piece = attention.tokens[i].piece;
    const ImVec2 extent = ui.measure(TextSize::small, piece);
    const float width = extent.x + ui.px(14);
    if (x > origin.x && x + width > ui.right_edge()) {
      x = origin.x;
      y += ui.px(kChipHeight) + row_gap;
    }
    const Area area{{x, y}, {x + width, y + ui.px(kChipHeight)}};
    ImGui::SetCursorScreenPos(area.low);
    ImGui::InvisibleButton(("piece-" + std::to_string(i)).c_str(), {width, ui.px(kChipHeight)});
    ui.mark_last_item("piece-" + std::to_string(i));
    if (ImGui::IsItemHovered()) *from = static_cast<int>(i);
    const bool looking = *from == static_cast<int>(i);
    const float weight =
        *from < 0 ? 0 : attention.at(settings.layer, settings.head, *from, static_cast<int>(i));
    const ImU32 fill = *from < 0 ? ui.colors().button : heat(ui.colors(), weight);
    const bool strong = *from >= 0 && std::sqrt(weight) > 0.55f;
    list->AddRectFilled(area.low, area.high, fill, ui.px(6));
    if (looking) list->AddRect(area.low, area.high, ui.colors().second, ui.px(6), 0, ui.px(2));
    ui.draw_text({x + ui.px(7), y + (ui.px(kChipHeight) - extent.y) / 2}, TextSize::small,
                 strong ? ui.colors().on_accent : ui.colors().text, piece);
    areas.push_back(area);
    x += width + gap;
  }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({ui.inner_width(), y + ui.px(kChipHeight) - origin.y});
  return areas;
}

void draw_lines(Ui& ui, const AttentionView& attention, const Settings& settings,
                const std::vector<Area>& areas, int from) {
  if (from < 0) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 start = areas[from].top();
  for (size_t i = 0; i < areas.size(); ++i) {
    if (static_cast<int>(i) == from) continue;
    const float weight = attention.at(settings.layer, settings.head, from, static_cast<int>(i));
    if (weight < 0.01f) continue;
    const ImVec2 to = areas[i].top();
    const float lift = std::min(ui.px(18), ui.px(6) + 0.06f * std::abs(to.x - start.x));
    const ImU32 color = with_alpha(ui.colors().second, 0.25f + 0.75f * std::sqrt(weight));
    list->AddBezierCubic(start, {start.x, start.y - lift}, {to.x, to.y - lift}, to, color,
                         ui.px(1 + 4 * weight));
  }
}

// Text rising from `at`, its end at the left below: column headings of the heat map.
void draw_rising(Ui& ui, ImVec2 at, ImU32 color, const std::string& text) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const int begin = list->VtxBuffer.Size;
  ui.draw_text({0, 0}, TextSize::small, color, text);
  for (int i = begin; i < list->VtxBuffer.Size; ++i) {
    const ImVec2 p = list->VtxBuffer[i].pos;
    list->VtxBuffer[i].pos = {at.x + p.y, at.y - p.x};
  }
}

void draw_map(Ui& ui, const AttentionView& attention, const Settings& settings, int* from) {
  const auto n = static_cast<int>(attention.tokens.size());
  const float side = ui.inner_width();
  float cell = std::min(ui.px(kMaxCell), (side - ui.px(kLabelSpace)) / static_cast<float>(n));
  const bool labels = cell >= ui.font(TextSize::small)->FontSize * 0.9f;
  if (!labels) cell = std::min(ui.px(kMaxCell), side / static_cast<float>(n));
  const float space = labels ? ui.px(kLabelSpace) : 0;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const ImVec2 low{origin.x + space, origin.y + space};
  const float extent = cell * static_cast<float>(n);
  ImGui::SetCursorScreenPos(low);
  ImGui::InvisibleButton("heat-map", {extent, extent});
  ui.mark_last_item("heat-map");
  int column = -1;
  if (ImGui::IsItemHovered()) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    *from = std::clamp(static_cast<int>((mouse.y - low.y) / cell), 0, n - 1);
    column = std::clamp(static_cast<int>((mouse.x - low.x) / cell), 0, n - 1);
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float gap = cell > ui.px(8) ? std::max(1.0f, std::floor(ui.px(1))) : 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const ImVec2 at{low.x + cell * static_cast<float>(j), low.y + cell * static_cast<float>(i)};
      list->AddRectFilled(at, {at.x + cell - gap, at.y + cell - gap},
                          heat(ui.colors(), attention.at(settings.layer, settings.head, i, j)));
    }
  if (*from >= 0) {
    const float y = low.y + cell * static_cast<float>(*from);
    list->AddRect({low.x - 1, y - 1}, {low.x + extent, y + cell}, ui.colors().second, 0, 0,
                  ui.px(1.5f));
  }
  if (labels) {
    const float line = ui.font(TextSize::small)->FontSize;
    for (int i = 0; i < n; ++i) {
      const std::string text =
          ui.elide(TextSize::small, attention.tokens[i].piece, space - ui.px(8));
      const float offset = cell * static_cast<float>(i) + (cell - line) / 2;
      const ImU32 row = i == *from ? ui.colors().second : ui.colors().muted;
      const float width = ui.measure(TextSize::small, text).x;
      ui.draw_text({low.x - width - ui.px(6), low.y + offset}, TextSize::small, row, text);
      draw_rising(ui, {low.x + offset, low.y - ui.px(6)},
                  i == column ? ui.colors().second : ui.colors().muted, text);
    }
  }
  ImGui::SetCursorScreenPos({origin.x, low.y + extent});
  ImGui::Dummy({side, ui.px(4)});
  if (*from >= 0 && column >= 0) {
    const float weight = attention.at(settings.layer, settings.head, *from, column);
    ui.label(attention.tokens[*from].piece + " → " + attention.tokens[column].piece + "  " +
                 percent(weight),
             ui.colors().text, TextSize::small);
  }
}

}  // namespace

void draw_attention(Ui& ui, App& app, int* from) {
  const AttentionView& attention = app.attention();
  if (attention.empty()) {
    ui.label(ui.word(Word::loading), ui.colors().muted);
    return;
  }
  Settings& settings = app.settings();
  if (*from >= static_cast<int>(attention.tokens.size())) *from = -1;
  settings.layer = std::clamp(settings.layer, 0, attention.layers - 1);
  settings.head = std::clamp(settings.head, kMeanHead, attention.heads - 1);
  settings.layer = draw_choice(ui, Word::layer, "layer", 0, attention.layers, settings.layer);
  settings.head = draw_choice(ui, Word::head, "head", kMeanHead, attention.heads, settings.head);
  ui.paragraph(ui.word(Word::attention_hint), ui.colors().muted);
  const std::vector<Area> areas = draw_chips(ui, attention, settings, from);
  draw_lines(ui, attention, settings, areas, *from);
  draw_map(ui, attention, settings, from);
}

}  // namespace minibert::page
