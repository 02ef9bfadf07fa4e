// Text, buttons, lists and cards.
#include "drawing/ui.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace minibert::page {
namespace {

constexpr float kKnob = 8;  // radius of a slider's

}  // namespace

ImVec2 Ui::measure(TextSize size, std::string_view text) {
  glyphs_->need(size, text);
  ImFont* f = font(size);
  return f->CalcTextSizeA(f->FontSize, 1e9f, 0, text.data(), text.data() + text.size());
}

void Ui::draw_text(ImVec2 at, TextSize size, Color color, std::string_view text) {
  if (text.empty()) return;
  glyphs_->need(size, text);
  ImFont* f = font(size);
  ImGui::GetWindowDrawList()->AddText(f, f->FontSize, {std::floor(at.x), std::floor(at.y)}, color,
                                      text.data(), text.data() + text.size());
}

std::string Ui::elide(TextSize size, std::string_view text, float width) {
  if (measure(size, text).x <= width) return std::string(text);
  std::string cut(text);
  while (!cut.empty()) {
    // One whole character: continuation bytes, then the byte they follow.
    while ((static_cast<uint8_t>(cut.back()) & 0xC0) == 0x80) cut.pop_back();
    cut.pop_back();
    if (measure(size, cut + "…").x <= width) break;
  }
  return cut + "…";
}

void Ui::label(std::string_view text, Color color, TextSize size) {
  const ImVec2 extent = measure(size, text);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(at, size, color, text);
  ImGui::Dummy(extent);
}

void Ui::paragraph(std::string_view text, Color color, TextSize size, std::string_view name) {
  glyphs_->need(size, text);
  ImGui::PushFont(font(size));
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::PushTextWrapPos(right_edge() - ImGui::GetWindowPos().x);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
  if (!name.empty()) outline_.add(Role::text, name, text, last_item());
}

bool Ui::button(const char* name, std::string_view text, bool enabled, bool primary) {
  glyphs_->need(TextSize::body, text);
  if (primary && enabled) {
    ImGui::PushStyleColor(ImGuiCol_Button, colors().accent);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, mix(colors().accent, colors().text, 0.15f));
    ImGui::PushStyleColor(ImGuiCol_ButtonActive, mix(colors().accent, colors().text, 0.25f));
    ImGui::PushStyleColor(ImGuiCol_Text, colors().on_accent);
  }
  ImGui::BeginDisabled(!enabled);
  bool pressed = ImGui::Button((std::string(text) + "###" + name).c_str(), {button_width(text), 0});
  ImGui::EndDisabled();
  if (primary && enabled) ImGui::PopStyleColor(4);
  mark(name, last_item());
  outline_.add(Role::button, name, text, last_item()).enabled = enabled;
  if (activated(name)) pressed = enabled;
  return pressed;
}

bool Ui::toggle(const char* name, std::string_view text, bool on) {
  glyphs_->need(TextSize::body, text);
  ImGui::PushStyleColor(ImGuiCol_Button, on ? colors().accent : colors().button);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, on ? colors().accent : colors().button_hover);
  ImGui::PushStyleColor(ImGuiCol_Text, on ? colors().on_accent : colors().text);
  const bool pressed =
      ImGui::Button((std::string(text) + "###" + name).c_str(), {button_width(text), 0});
  ImGui::PopStyleColor(3);
  mark(name, last_item());
  outline_.add(Role::toggle, name, text, last_item()).on = on;
  return activated(name) || pressed;
}

bool Ui::target_area(const std::string& name, std::string_view label, ImVec2 size) {
  const bool pressed = ImGui::InvisibleButton(name.c_str(), size);
  mark(name, last_item());
  outline_.add(Role::button, name, label, last_item());
  return activated(name) || pressed;
}

std::optional<size_t> Ui::select(const char* name, std::string_view label,
                                 const std::vector<std::string>& options, size_t current,
                                 float width) {
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
  const float end = ImGui::GetItemRectMax().x + px(gap_css) + width;
  if (end <= right_edge() + 1) ImGui::SameLine(0, px(gap_css));
}

void Ui::begin_card(const char* name, std::string_view title, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  card_name_ = name;
  card_x_ = at.x;
  card_y_ = at.y;
  card_width_ = width;
  card_node_ = outline_.nodes().size();
  outline_.begin(Role::region, name, title);
  // The background's size is known only at the end: draw it then, on a channel below.
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->ChannelsSplit(2);
  list->ChannelsSetCurrent(1);
  ImGui::SetCursorScreenPos({at.x + px(kCardPadding), at.y + px(kCardPadding)});
  ImGui::BeginGroup();
}

void Ui::end_card() {
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y + px(kCardPadding);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->ChannelsSetCurrent(0);
  const ImVec2 low{card_x_, card_y_};
  const ImVec2 high{card_x_ + card_width_, bottom};
  list->AddRectFilled(low, high, colors().card, px(12));
  list->AddRect(low, high, colors().border, px(12), 0, std::max(1.0f, std::floor(px(1))));
  list->ChannelsMerge();
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
