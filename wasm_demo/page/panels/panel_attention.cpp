// Attention of one layer and head: the pieces with lines from the one under the pointer, and the
// heat map below. Both light up together.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "panels/panels.h"

namespace minibert::page {
namespace {

constexpr float kPieceHeight = 42;
constexpr int kMostTable = 40;      // tokens in the outline's table
constexpr int kMostBeforeMap = 64;  // tokens that are shown above the map, and not below it
constexpr float kMaxCell = 34;
constexpr int kMostOverview = 40;  // tokens that small maps can show
constexpr float kMostThumbnail = 110;
constexpr float kMostLabelSpace = 84;
constexpr float kScaleWidth = 300;  // of the legend
constexpr float kAccentAt = 0.7f;   // of the scale: half of all attention
constexpr float kShades = 48;       // distinct shades of the scale
constexpr float kFaint = 0.005f;    // weights below it have no number

struct Area {
  ImVec2 low, high;
  ImVec2 top() const { return {(low.x + high.x) / 2, low.y}; }
};

// By the square root, because most weights are small: from the ground over the accent towards the text's color.
Color heat(const Palette& colors, float weight) {
  const float part = std::round(kShades * std::sqrt(std::clamp(weight, 0.0f, 1.0f))) / kShades;
  return part < kAccentAt
             ? mix(colors.button, colors.accent, part / kAccentAt)
             : mix(colors.accent, colors.text, 0.7f * (part - kAccentAt) / (1 - kAccentAt));
}

std::string rounded_percent(float weight) { return std::to_string(std::lround(100 * weight)); }

// Draws the scale of colors.
void draw_scale(Ui& ui) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float width = std::min(ui.inner_width() - ui.px(30), ui.px(kScaleWidth));
  const float height = ui.px(10), line = ui.font(TextSize::small)->FontSize;
  ImDrawList* list = ImGui::GetWindowDrawList();
  constexpr int kSteps = 60;
  for (int i = 0; i < kSteps; ++i) {
    const float part = static_cast<float>(i) / (kSteps - 1);
    const float x = origin.x + width * static_cast<float>(i) / kSteps;
    list->AddRectFilled({x, origin.y}, {x + width / kSteps + 1, origin.y + height},
                        heat(ui.colors(), part * part));
  }
  for (const float weight : {0.0f, 0.01f, 0.1f, 0.25f, 0.5f, 1.0f}) {
    const std::string text = rounded_percent(weight) + (weight == 1 ? "%" : "");
    const float x = origin.x + width * std::sqrt(weight);
    const float half = ui.measure(TextSize::small, text).x / 2;
    ui.draw_text({weight == 0 ? x : x - half, origin.y + height + ui.px(2)}, TextSize::small,
                 ui.colors().muted, text);
  }
  ImGui::Dummy({width, height + line + ui.px(4)});
  ui.mark("heat-scale", ui.last_item());
  ui.outline().add(Role::text, "heat-scale", ui.word(Word::heat_scale), ui.last_item());
}

float choice_width(Ui& ui, int first, int count, float label_space) {
  float width = label_space;
  for (int i = first; i < count; ++i)
    width += ui.px(4) +
             ui.button_width(i < 0 ? std::string(ui.word(Word::average)) : std::to_string(i + 1));
  return width;
}

// A row of choices, all of one kind; `label_space` aligns rows beneath each other.
int draw_choice(Ui& ui, Word word, const char* prefix, int first, int count, int current,
                float label_space) {
  int picked = current;
  ui.outline().begin(Role::group, prefix, ui.word(word));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float line = ui.font(TextSize::small)->FontSize;
  ui.draw_text({at.x, at.y + (ui.button_height() - line) / 2}, TextSize::small, ui.colors().muted,
               ui.word(word));
  ImGui::Dummy({label_space, ui.button_height()});
  for (int i = first; i < count; ++i) {
    const std::string text = i < 0 ? std::string(ui.word(Word::average)) : std::to_string(i + 1);
    ui.flow(ui.button_width(text), 4);
    const std::string name = std::string(prefix) + "-" + std::to_string(i);
    if (ui.toggle(name.c_str(), text, i == current)) picked = i;
  }
  ui.outline().end();
  return picked;
}

// The pieces as chips over several lines, each tinted by how much `looks` looks at it, with the number; hovering
// one makes `*from` that.
std::vector<Area> draw_chips(Ui& ui, const AttentionView& attention,
                             const std::vector<std::string>& pieces, const Settings& settings,
                             int looks, int* from) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float gap = ui.px(6);
  const float row_gap = ui.px(20);  // room for the lines
  const float height = ui.px(ui.target(kPieceHeight));
  float x = origin.x, y = origin.y + row_gap;
  std::vector<Area> areas;
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (size_t i = 0; i < attention.tokens.size(); ++i) {
    const std::string& piece = pieces[i];
    const ImVec2 extent = ui.measure(TextSize::small, piece);
    const float width = std::max(extent.x + ui.px(14), ui.px(ui.touch() ? 44 : 34));
    if (x > origin.x && x + width > ui.right_edge()) {
      x = origin.x;
      y += height + row_gap;
    }
    const Area area{{x, y}, {x + width, y + height}};
    ImGui::SetCursorScreenPos(area.low);
    const std::string name = "piece-" + std::to_string(i);
    if (ui.target_area(name, spoken_piece(ui, piece), {width, height}) || ImGui::IsItemHovered())
      *from = static_cast<int>(i);
    const bool looking = looks == static_cast<int>(i);
    const float weight =
        looks < 0 ? 0 : attention.at(settings.layer, settings.head, looks, static_cast<int>(i));
    const Color fill = looks < 0 ? ui.colors().button : heat(ui.colors(), weight);
    list->AddRectFilled(area.low, area.high, fill, ui.px(6));
    if (looking) list->AddRect(area.low, area.high, ui.colors().second, ui.px(6), 0, ui.px(2));
    const auto centred = [&](float top, const std::string& text) {
      ui.draw_text({x + (width - ui.measure(TextSize::small, text).x) / 2, top}, TextSize::small,
                   readable_on(fill), text);
    };
    const bool numbered = looks >= 0;
    centred(numbered ? y + height / 2 - extent.y - ui.px(1) : y + (height - extent.y) / 2, piece);
    if (numbered) centred(y + height / 2 + ui.px(1), rounded_percent(weight) + "%");
    areas.push_back(area);
    x += width + gap;
  }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({ui.inner_width(), y + height - origin.y});
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
    const Color color = with_alpha(ui.colors().second, 0.25f + 0.75f * std::sqrt(weight));
    list->AddBezierCubic(start, {start.x, start.y - lift}, {to.x, to.y - lift}, to, color,
                         ui.px(1 + 4 * weight));
  }
}

// Text rising from `at`, its end at the left below: column headings of the heat map.
void draw_rising(Ui& ui, ImVec2 at, Color color, const std::string& text) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const int begin = list->VtxBuffer.Size;
  ui.draw_text({0, 0}, TextSize::small, color, text);
  for (int i = begin; i < list->VtxBuffer.Size; ++i) {
    const ImVec2 p = list->VtxBuffer[i].pos;
    list->VtxBuffer[i].pos = {at.x + p.y, at.y - p.x};
  }
}

void draw_map(Ui& ui, const AttentionView& attention, const std::vector<std::string>& pieces,
              const Settings& settings, int looks, int* from, int* to) {
  const auto n = static_cast<int>(attention.tokens.size());
  const float side = ui.inner_width();
  float widest = 0;
  for (const std::string& piece : pieces)
    widest = std::max(widest, ui.measure(TextSize::small, piece).x);
  const float beside = std::min(ui.px(kMostLabelSpace), widest + ui.px(12));
  float cell = std::min(ui.px(kMaxCell), (side - beside) / static_cast<float>(n));
  const bool labels = cell >= ui.font(TextSize::small)->FontSize * 0.9f;
  if (!labels) cell = std::min(ui.px(kMaxCell), side / static_cast<float>(n));
  const float space = labels ? beside : 0;
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const ImVec2 low{origin.x + space, origin.y + space};
  const float extent = cell * static_cast<float>(n);
  ImGui::SetCursorScreenPos(low);
  ImGui::InvisibleButton("heat-map", {extent, extent});
  ui.mark("heat-map", ui.last_item());
  int& column = *to;
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    *from = std::clamp(static_cast<int>((mouse.y - low.y) / cell), 0, n - 1);
    column = std::clamp(static_cast<int>((mouse.x - low.x) / cell), 0, n - 1);
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float gap = cell > ui.px(8) ? std::max(1.0f, std::floor(ui.px(1))) : 0;
  const auto color_at = [&](int i, int j) {
    return heat(ui.colors(), attention.at(settings.layer, settings.head, i, j));
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0, next = 0; j < n; j = next) {
      const ImVec2 at{low.x + cell * static_cast<float>(j), low.y + cell * static_cast<float>(i)};
      const float weight = attention.at(settings.layer, settings.head, i, j);
      const Color fill = color_at(i, j);
      next = j + 1;
      // Small cells of one color are drawn as one: a long text has a hundred thousand.
      while (gap == 0 && next < n && color_at(i, next) == fill) ++next;
      const float right = low.x + cell * static_cast<float>(next);
      list->AddRectFilled(at, {right - gap, at.y + cell - gap}, fill);
      if (!labels || weight < kFaint) continue;
      const std::string text = rounded_percent(weight);
      const ImVec2 size = ui.measure(TextSize::small, text);
      if (size.x <= cell - gap)
        ui.draw_text({at.x + (cell - gap - size.x) / 2, at.y + (cell - gap - size.y) / 2},
                     TextSize::small, readable_on(fill), text);
    }
  if (looks >= 0) {
    const float y = low.y + cell * static_cast<float>(looks);
    list->AddRect({low.x - 1, y - 1}, {low.x + extent, y + cell}, ui.colors().second, 0, 0,
                  ui.px(1.5f));
  }
  if (labels) {
    const float line = ui.font(TextSize::small)->FontSize;
    for (int i = 0; i < n; ++i) {
      const std::string text =
          ui.elide(TextSize::small, pieces[static_cast<size_t>(i)], space - ui.px(8));
      const float offset = cell * static_cast<float>(i) + (cell - line) / 2;
      const Color row = i == looks ? ui.colors().second : ui.colors().muted;
      const float width = ui.measure(TextSize::small, text).x;
      ui.draw_text({low.x - width - ui.px(6), low.y + offset}, TextSize::small, row, text);
      draw_rising(ui, {low.x + offset, low.y - ui.px(6)},
                  i == column ? ui.colors().second : ui.colors().muted, text);
    }
  }
  ImGui::SetCursorScreenPos({origin.x, low.y + extent});
  ImGui::Dummy({side, ui.px(4)});
}

// Tells the value of the cell that was pointed at last; it stays when the pointer or the finger
// leaves. Without one, tells where `looks` attends most.
void draw_value(Ui& ui, const AttentionView& attention, const std::vector<std::string>& pieces,
                const Settings& settings, int looks, int to) {
  std::string text;
  if (looks >= 0) {
    const auto weight = [&](int at) {
      return attention.at(settings.layer, settings.head, looks, at);
    };
    const auto count = static_cast<int>(pieces.size());
    for (int at = 0, best = to < 0 ? count : 0; at < best; ++at)
      if (to < 0 || weight(at) > weight(to)) to = at;
    text = pieces[static_cast<size_t>(looks)] + " → " + pieces[static_cast<size_t>(to)] + "  " +
           percent(weight(to));
  }
  ui.label(text.empty() ? " " : text, ui.colors().text, TextSize::body);
}

// Every head's map in small, layers beneath each other; pressing one chooses it.
void draw_overview(Ui& ui, const AttentionView& attention, Settings* settings) {
  const auto n = static_cast<int>(attention.tokens.size());
  if (n > kMostOverview) return;
  ui.paragraph(ui.word(Word::overview), ui.colors().muted, TextSize::small, "overview-hint");
  const float gap = ui.px(6);
  const auto heads = static_cast<float>(attention.heads);
  const float side = std::floor(
      std::clamp((ui.inner_width() - gap * (heads - 1)) / heads, ui.px(24), ui.px(kMostThumbnail)));
  const float cell = side / static_cast<float>(n);
  ui.outline().begin(Role::list, "overview", ui.word(Word::overview));
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (int layer = attention.local_layers; layer < attention.layers; ++layer)
    for (int head = 0; head < attention.heads; ++head) {
      if (head) ui.flow(side);
      const ImVec2 low = ImGui::GetCursorScreenPos();
      const std::string place = std::to_string(layer) + "-" + std::to_string(head);
      const std::string spoken = std::string(ui.word(Word::layer)) + " " +
                                 std::to_string(layer + 1) + ", " +
                                 std::string(ui.word(Word::head)) + " " + std::to_string(head + 1);
      if (ui.target_area("overview-" + place, spoken, {side, side})) {
        settings->layer = layer;
        settings->head = head;
      }
      if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          const ImVec2 at{low.x + cell * static_cast<float>(j),
                          low.y + cell * static_cast<float>(i)};
          list->AddRectFilled(at, {at.x + cell, at.y + cell},
                              heat(ui.colors(), attention.at(layer, head, i, j)));
        }
      const bool chosen = settings->layer == layer && settings->head == head;
      list->AddRect(low, {low.x + side, low.y + side},
                    chosen ? ui.colors().second : ui.colors().outline, 0, 0,
                    ui.px(chosen ? 2.5f : 1));
    }
  ui.outline().end();
}

int first_mask(const AttentionView& attention) {
  for (size_t i = 0; i < attention.tokens.size(); ++i)
    if (attention.tokens[i].piece == "[MASK]") return static_cast<int>(i);
  return -1;
}

void outline_table(Ui& ui, const AttentionView& attention, const std::vector<std::string>& pieces,
                   const Settings& settings) {
  const auto n = static_cast<int>(attention.tokens.size());
  if (n > kMostTable) return;
  OutlineNode& table =
      ui.outline().add(Role::table, "attention-table", ui.word(Word::attention_table));
  table.columns = n + 1;
  table.cells.emplace_back();
  for (const std::string& piece : pieces) table.cells.push_back(spoken_piece(ui, piece));
  for (int from = 0; from < n; ++from) {
    table.cells.push_back(spoken_piece(ui, pieces[static_cast<size_t>(from)]));
    for (int to = 0; to < n; ++to)
      table.cells.push_back(percent(attention.at(settings.layer, settings.head, from, to)));
  }
}

}  // namespace

void draw_attention(Ui& ui, App& app, PanelState& state) {
  const AttentionView& attention = app.attention();
  if (attention.empty()) return draw_nothing_yet(ui, app, "no-attention");
  Settings& settings = app.settings();
  int* from = &state.attention_from;
  int* to = &state.attention_to;
  const auto n = static_cast<int>(attention.tokens.size());
  if (*from >= n) *from = -1;
  if (*to >= n) *to = -1;
  if (attention.local_layers > 0) {
    const std::string last = std::to_string(attention.local_layers);
    ui.paragraph(
        say(Word::attention_local, ui.language(), attention.local_layers == 1 ? last : "1–" + last),
        ui.colors().text, TextSize::small, "attention-local");
  }
  if (attention.local_layers == attention.layers) return;
  settings.layer = std::clamp(settings.layer, attention.local_layers, attention.layers - 1);
  settings.head = std::clamp(settings.head, kMeanHead, attention.heads - 1);
  const float label = std::max(ui.measure(TextSize::small, ui.word(Word::layer)).x,
                               ui.measure(TextSize::small, ui.word(Word::head)).x) +
                      ui.px(4);
  settings.layer = draw_choice(ui, Word::layer, "layer", attention.local_layers, attention.layers,
                               settings.layer, label);
  // The heads beside the layers, where there is room.
  ui.flow(choice_width(ui, kMeanHead, attention.heads, label), 16);
  settings.head =
      draw_choice(ui, Word::head, "head", kMeanHead, attention.heads, settings.head, label);
  ui.paragraph(ui.word(Word::attention_hint), ui.colors().muted, TextSize::small, "attention-hint");
  const std::vector<std::string> pieces = shown_pieces(attention.tokens);
  // Until one is pointed at, the mask looks.
  const int looks = *from >= 0 ? *from : first_mask(attention);
  const auto draw_tokens_and_lines = [&] {
    // Lines to another row pass behind the tokens, which are read.
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImDrawListSplitter layers;  // the card has split the list itself
    layers.Split(list, 2);
    layers.SetCurrentChannel(list, 1);
    ui.outline().begin(Role::list, "pieces", ui.word(Word::tokens));
    const std::vector<Area> areas = draw_chips(ui, attention, pieces, settings, looks, from);
    ui.outline().end();
    layers.SetCurrentChannel(list, 0);
    draw_lines(ui, attention, settings, areas, looks);
    layers.Merge(list);
  };
  if (n <= kMostBeforeMap) draw_tokens_and_lines();
  draw_value(ui, attention, pieces, settings, looks, *from >= 0 ? *to : -1);
  draw_map(ui, attention, pieces, settings, looks, from, to);
  draw_scale(ui);
  draw_overview(ui, attention, &settings);
  if (n > kMostBeforeMap) draw_tokens_and_lines();
  outline_table(ui, attention, pieces, settings);
}

}  // namespace minibert::page
