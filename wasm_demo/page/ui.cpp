// Text, buttons, combo boxes and cards.
#include "ui.h"

#include <algorithm>
#include <cmath>

namespace minibert::page {

ImVec2 Ui::measure(TextSize size, std::string_view text) {
  glyphs_->need(size, text);
  ImFont* f = font(size);
  return f->CalcTextSizeA(f->FontSize, 1e9f, 0, text.data(), text.data() + text.size());
}

void Ui::draw_text(ImVec2 at, TextSize size, ImU32 color, std::string_view text) {
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

void Ui::label(std::string_view text, ImU32 color, TextSize size) {
  const ImVec2 extent = measure(size, text);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(at, size, color, text);
  ImGui::Dummy(extent);
}

void Ui::paragraph(std::string_view text, ImU32 color, TextSize size) {
  glyphs_->need(size, text);
  ImGui::PushFont(font(size));
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::PushTextWrapPos(right_edge() - ImGui::GetWindowPos().x);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
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
  const bool pressed = ImGui::Button((std::string(text) + "###" + name).c_str());
  ImGui::EndDisabled();
  if (primary && enabled) ImGui::PopStyleColor(4);
  mark_last_item(name);
  return pressed;
}

bool Ui::toggle(const char* name, std::string_view text, bool on) {
  glyphs_->need(TextSize::body, text);
  ImGui::PushStyleColor(ImGuiCol_Button, on ? colors().accent : colors().button);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, on ? colors().accent : colors().button_hover);
  ImGui::PushStyleColor(ImGuiCol_Text, on ? colors().on_accent : colors().text);
  const bool pressed = ImGui::Button((std::string(text) + "###" + name).c_str());
  ImGui::PopStyleColor(3);
  mark_last_item(name);
  return pressed;
}

void Ui::flow(float width, float gap_css) {
  const float end = ImGui::GetItemRectMax().x + px(gap_css) + width;
  if (end <= right_edge() + 1) ImGui::SameLine(0, px(gap_css));
}

bool Ui::begin_combo(const char* name, std::string_view shown, float width) {
  const std::string fits = elide(TextSize::body, shown, width - px(56));
  ImGui::SetNextItemWidth(width);
  const bool open = ImGui::BeginCombo(("###" + std::string(name)).c_str(), fits.c_str(),
                                      ImGuiComboFlags_HeightLarge);
  if (!open) mark_last_item(name);
  return open;
}

bool Ui::combo_item(const char* name, std::string_view text, bool selected) {
  glyphs_->need(TextSize::body, text);
  const bool pressed = ImGui::Selectable((std::string(text) + "###" + name).c_str(), selected);
  mark_last_item(name);
  return pressed;
}

void Ui::begin_card(const char* name, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  card_name_ = name;
  card_x_ = at.x;
  card_y_ = at.y;
  card_width_ = width;
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
  list->AddRect(low, high, colors().border, px(12), 0, std::max(1.0f, std::floor(pixel_ratio_)));
  list->ChannelsMerge();
  mark(card_name_, low, high);
  ImGui::SetCursorScreenPos({card_x_, bottom + px(12)});
}

void Ui::mark(const std::string& name, ImVec2 low, ImVec2 high) {
  boxes_[name] = {low.x / pixel_ratio_, low.y / pixel_ratio_, (high.x - low.x) / pixel_ratio_,
                  (high.y - low.y) / pixel_ratio_};
}

void Ui::mark_last_item(const std::string& name) {
  mark(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

}  // namespace minibert::page
