// Text, buttons, lists and cards.
#include "drawing/ui.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "core/utf8.h"
#include "text/text_units.h"

namespace minibert::page {
namespace {

constexpr float kKnob = 8;  // radius of a slider's
// Characters that stay of a text that is cut, at most: no line has room for more, and each is measured.
constexpr size_t kMostShown = 1000;

}  // namespace

ImVec2 Ui::measure(TextSize size, std::string_view text) {
  text = glyphs_->drawable(size, text);
  ImFont* f = font(size);
  return f->CalcTextSizeA(f->FontSize, 1e9f, 0, text.data(), text.data() + text.size());
}

void Ui::draw_text(ImVec2 at, TextSize size, Color color, std::string_view text) {
  text = glyphs_->drawable(size, text);
  if (text.empty()) return;
  ImFont* f = font(size);
  ImGui::GetWindowDrawList()->AddText(f, f->FontSize, {std::floor(at.x), std::floor(at.y)}, color,
                                      text.data(), text.data() + text.size());
}

std::string Ui::elide(TextSize size, std::string_view text, float width) {
  if (measure(size, text).x <= width) return std::string(text);
  const std::u32string points = to_code_points(text);
  size_t end = std::min(points.size(), kMostShown);
  std::string cut = "…";
  while (end > 0) {
    end = previous_boundary(points, end);
    cut = to_utf8(std::u32string_view(points).substr(0, end)) + "…";
    if (measure(size, cut).x <= width) break;
  }
  return cut;
}

std::vector<std::string> Ui::lines(TextSize size, std::string_view text, float width) {
  std::vector<std::string> lines;
  bool begins = true;  // a line
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string word(text.substr(at, end - at));
    if (!begins && measure(size, lines.back() + " " + word).x <= width)
      lines.back() += " " + word;
    else
      lines.push_back(word);
    begins = end < text.size() && text[end] == '\n';
    at = end + 1;
  }
  return lines;
}

void Ui::label(std::string_view text, Color color, TextSize size) {
  const ImVec2 extent = measure(size, text);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(at, size, color, text);
  ImGui::Dummy(extent);
}

void Ui::paragraph(std::string_view text, Color color, TextSize size, std::string_view name) {
  std::string broken;
  for (const std::string& line : lines(size, text, right_edge() - ImGui::GetCursorScreenPos().x))
    broken += (broken.empty() ? "" : "\n") + line;
  const std::string_view drawn = glyphs_->drawable(size, broken);
  ImGui::PushFont(font(size));
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::PushTextWrapPos(right_edge() -
                         ImGui::GetWindowPos().x);  // cuts what lines() leaves too wide
  ImGui::TextUnformatted(drawn.data(), drawn.data() + drawn.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
  if (!name.empty()) outline_.add(Role::text, name, text, last_item());
}

void Ui::section(std::string_view text, std::string_view name) {
  ImGui::Dummy({1, px(8)});
  paragraph(text, colors().text, TextSize::strong);
  outline_.add(Role::heading, name, text, last_item());
}

void Ui::card_title(std::string_view text) { label(text, colors().text, TextSize::title); }

// The drawable text, and the part that distinguishes buttons.
std::string Ui::button_label(const char* name, std::string_view text) {
  return std::string(glyphs_->drawable(TextSize::body, text)) + "###" + name;
}

bool Ui::button(const char* name, std::string_view text, bool enabled, Weight weight) {
  if (picture()) return false;
  const bool primary = weight == Weight::primary && enabled;
  if (primary) {
    ImGui::PushStyleColor(ImGuiCol_Button, colors().accent);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, mix(colors().accent, colors().text, 0.15f));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, mix(colors().accent, colors().text, 0.25f));
    ImGui::PushStyleColor(ImGuiCol_Border, colors().accent);
    ImGui::PushStyleColor(ImGuiCol_Text, colors().on_accent);
  } else if (weight == Weight::quiet) {
    ImGui::PushStyleColor(ImGuiCol_Button, with_alpha(colors().button, 0));
    ImGui::PushStyleColor(ImGuiCol_Border, colors().border);
  }
  ImGui::BeginDisabled(!enabled);
  bool pressed = ImGui::Button(button_label(name, text).c_str(), button_size(text));
  ImGui::EndDisabled();
  ImGui::PopStyleColor(primary ? 5 : weight == Weight::quiet ? 2 : 0);
  mark(name, last_item());
  outline_.add(Role::button, name, text, last_item()).enabled = enabled;
  if (activated(name)) pressed = enabled;
  return pressed;
}

bool Ui::toggle(const char* name, std::string_view text, bool on) {
  if (picture()) {
    if (on) label(text, colors().accent);
    return false;
  }
  ImGui::PushStyleColor(ImGuiCol_Button, on ? colors().soft : colors().button);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, on ? colors().soft : colors().button_hover);
  ImGui::PushStyleColor(ImGuiCol_Border, on ? colors().accent : colors().border);
  ImGui::PushStyleColor(ImGuiCol_Text, on ? colors().accent : colors().text);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, px(on ? 2 : 1));
  const bool pressed = ImGui::Button(button_label(name, text).c_str(), button_size(text));
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(4);
  mark(name, last_item());
  outline_.add(Role::toggle, name, text, last_item()).on = on;
  return activated(name) || pressed;
}

float Ui::tab_text_width(std::string_view text, bool in_card) {
  return compact() || in_card ? measure(TextSize::strong, text).x
                              : measure(TextSize::title, text).x;
}

bool Ui::tab(const char* name, std::string_view text, bool on, float width, bool in_card) {
  if (picture()) {
    if (on) label(text, colors().accent, TextSize::title);
    return false;
  }
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 high{low.x + width, low.y + button_height()};
  const bool pressed = ImGui::InvisibleButton(name, {width, high.y - low.y});
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const bool is_small = compact() || in_card;
  const TextSize size = is_small ? (on ? TextSize::strong : TextSize::small)
                                 : (on ? TextSize::title : TextSize::body);
  const ImVec2 extent = measure(size, text);
  draw_text({low.x + (width - extent.x) / 2, (low.y + high.y - extent.y) / 2}, size,
            on        ? colors().accent
            : hovered ? colors().text
                      : colors().muted,
            text);
  if (on)
    ImGui::GetWindowDrawList()->AddRectFilled({low.x, high.y - px(3)}, high, colors().accent,
                                              px(1.5f));
  mark(name, last_item());
  outline_.add(Role::toggle, name, text, last_item()).on = on;
  return activated(name) || pressed;
}

bool Ui::icon(const char* name, std::string_view label, Icon icon, bool enabled,
              std::optional<bool> on) {
  if (picture()) return false;
  const float side = button_height();
  const bool shown_on = on.value_or(false);
  ImGui::PushStyleColor(ImGuiCol_Button, shown_on ? colors().soft : with_alpha(colors().button, 0));
  ImGui::PushStyleColor(ImGuiCol_Border, shown_on ? colors().accent : colors().border);
  ImGui::BeginDisabled(!enabled);
  bool pressed = ImGui::Button((std::string("###") + name).c_str(), {side, side});
  ImGui::EndDisabled();
  ImGui::PopStyleColor(2);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  draw_icon({(low.x + high.x) / 2, (low.y + high.y) / 2}, icon,
            enabled ? shown_on ? colors().accent : colors().text : colors().outline);
  mark(name, last_item());
  OutlineNode& node = outline_.add(on ? Role::toggle : Role::button, name, label, last_item());
  node.enabled = enabled;
  node.on = shown_on;
  if (activated(name)) pressed = enabled;
  return pressed;
}

// An arc with a tip at its left; three dots.
void Ui::draw_icon(ImVec2 at, Icon icon, Color color) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (icon == Icon::more) {
    for (const float x : {-6.0f, 0.0f, 6.0f})
      list->AddCircleFilled({at.x + px(x), at.y}, px(2), color);
    return;
  }
  const float radius = px(5.5f), line = px(1.8f);
  const ImVec2 middle{at.x, at.y + px(1.5f)};
  constexpr int kSteps = 12;
  constexpr float kFrom = 3.4f, kTo = 6.9f;  // radians, clockwise from the right
  for (int i = 0; i <= kSteps; ++i) {
    const float angle = kFrom + (kTo - kFrom) * static_cast<float>(i) / kSteps;
    list->PathLineTo({middle.x + radius * std::cos(angle), middle.y + radius * std::sin(angle)});
  }
  list->PathStroke(color, 0, line);
  const ImVec2 tip{middle.x + radius * std::cos(kFrom), middle.y + radius * std::sin(kFrom)};
  list->AddTriangleFilled({tip.x - px(4), tip.y - px(1)}, {tip.x + px(4), tip.y - px(1)},
                          {tip.x, tip.y + px(4)}, color);
}

bool Ui::target_area(const std::string& name, std::string_view label, ImVec2 size, float part) {
  const bool pressed = ImGui::InvisibleButton(name.c_str(), size);
  mark(name, last_item());
  outline_.add(Role::button, name, label, last_item()).part = part;
  return activated(name) || pressed;
}

std::optional<size_t> Ui::select(const char* name, std::string_view label,
                                 const std::vector<std::string>& options, size_t current,
                                 float width) {
  if (picture()) return std::nullopt;
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 high{low.x + width, low.y + button_height()};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(low, high, colors().button, px(8));
  list->AddRect(low, high, colors().outline, px(8), 0, std::max(1.0f, std::floor(px(1))));
  const float y = low.y + (high.y - low.y - font(TextSize::body)->FontSize) / 2;
  const std::string shown = current < options.size() ? options[current] : std::string();
  draw_text({low.x + px(12), y}, TextSize::body, colors().text,
            elide(TextSize::body, shown, width - px(44)));
  const ImVec2 tip{high.x - px(18), (low.y + high.y) / 2 + px(3)};
  list->AddTriangleFilled({tip.x - px(5), tip.y - px(6)}, {tip.x + px(5), tip.y - px(6)}, tip,
                          colors().muted);
  ImGui::Dummy({width, high.y - low.y});
  mark(name, last_item());
  OutlineNode& node = outline_.add(Role::select, name, label, last_item());
  node.cells = options;
  node.chosen = static_cast<int>(current);
  std::string value;
  if (!activated(name, &value)) return std::nullopt;
  size_t picked = 0;
  std::from_chars(value.data(), value.data() + value.size(), picked);
  return picked < options.size() ? std::optional(picked) : std::nullopt;
}

std::optional<double> Ui::slider(const char* name, std::string_view label, const Scale& scale,
                                 float width) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float height = button_height(), value_width = px(44), knob = px(kKnob);
  const float y = low.y + height / 2, text_y = y - font(TextSize::small)->FontSize / 2;
  const float begin = low.x + measure(TextSize::small, label).x + px(10);
  const float end = low.x + width - value_width;
  draw_text({low.x, text_y}, TextSize::small, colors().muted, label);
  draw_text({end + px(8), text_y}, TextSize::small, colors().text, scale.shown);
  // The browser's own knob moves so: its middle never leaves the element.
  const auto part = static_cast<float>(
      std::clamp((scale.value - scale.low) / (scale.high - scale.low), 0.0, 1.0));
  const float at = begin + knob + part * (end - begin - 2 * knob);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({begin, y - px(2)}, {end, y + px(2)}, colors().outline, px(2));
  list->AddRectFilled({begin, y - px(2)}, {at, y + px(2)}, colors().accent, px(2));
  list->AddCircleFilled({at, y}, knob, colors().accent);
  ImGui::Dummy({width, height});
  const Box place = box({begin, low.y}, {end, low.y + height});
  mark(name, place);
  outline_.add(Role::slider, name, label, place).scale = scale;
  std::string value;
  if (!activated(name, &value)) return std::nullopt;
  const double chosen = std::strtod(value.c_str(), nullptr);
  return chosen >= scale.low && chosen <= scale.high ? std::optional(chosen) : std::nullopt;
}

float Ui::button_width(std::string_view text) {
  const float width = measure(TextSize::body, text).x + px(24);
  return touch() ? std::max(width, px(44)) : width;
}

void Ui::flow(float width, float gap_css) {
  if (picture()) return;
  const float end = ImGui::GetItemRectMax().x + px(gap_css) + width;
  if (end <= right_edge() + 1) ImGui::SameLine(0, px(gap_css));
}

void Ui::begin_card(const char* name, std::string_view title, float width, Frame frame) {
  frame_ = frame;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  card_name_ = name;
  card_x_ = at.x;
  card_y_ = at.y;
  card_width_ = width;
  card_node_ = outline_.nodes().size();
  outline_.begin(Role::region, name, title);
  // The background's size is known only at the end: draw it then, on a channel below.
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (frame_ == Frame::panel) {
    list->ChannelsSplit(2);
    list->ChannelsSetCurrent(1);
  }
  ImGui::SetCursorScreenPos({at.x + card_padding(), at.y + card_padding()});
  ImGui::BeginGroup();
}

void Ui::end_card() {
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y + card_padding();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 low{card_x_, card_y_};
  const ImVec2 high{card_x_ + card_width_, bottom};
  if (frame_ == Frame::panel) {
    list->ChannelsSetCurrent(0);
    list->AddRectFilled(low, high, colors().card, px(12));
    list->ChannelsMerge();
  }
  mark(card_name_, box(low, high));
  outline_.place(card_node_, box(low, high));
  outline_.end();
  ImGui::SetCursorScreenPos({card_x_, bottom + px(12)});
}

Box Ui::box(ImVec2 low, ImVec2 high) const {
  const float ratio = look_.pixel_ratio;
  return {low.x / ratio, low.y / ratio, (high.x - low.x) / ratio, (high.y - low.y) / ratio};
}

bool Ui::activated(const std::string& name, std::string* value) {
  const auto found = activated_.find(name);
  if (found == activated_.end()) return false;
  if (value) *value = found->second;
  activated_.erase(found);
  return true;
}

void Ui::draw_focus_ring() {
  activated_.clear();  // what was not drawn cannot be pressed
  const auto found = boxes_.find(focused_);
  if (found == boxes_.end()) return;
  const Box& box = found->second;
  const float out = px(3), ratio = look_.pixel_ratio;
  const ImVec2 low{box.x * ratio - out, box.y * ratio - out};
  const ImVec2 high{(box.x + box.width) * ratio + out, (box.y + box.height) * ratio + out};
  ImGui::GetForegroundDrawList()->AddRect(low, high, colors().focus, px(9), 0, px(2.5f));
}

}  // namespace minibert::page
