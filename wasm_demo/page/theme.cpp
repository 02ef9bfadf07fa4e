// Colors and ImGui's style.
#include <algorithm>

#include "ui.h"

namespace minibert::page {
namespace {

constexpr ImU32 rgb(uint32_t hex) {
  return IM_COL32(hex >> 16 & 255, hex >> 8 & 255, hex & 255, 255);
}

// Text on its ground has a contrast of at least 4.5 : 1 (WCAG 2.2, AA) in both themes.
constexpr Palette kLight = {.page = rgb(0xF3F4F7),
                            .card = rgb(0xFFFFFF),
                            .border = rgb(0xDFE3EA),
                            .text = rgb(0x1A1F29),
                            .muted = rgb(0x5B6475),
                            .accent = rgb(0x3454D1),
                            .on_accent = rgb(0xFFFFFF),
                            .soft = rgb(0xE9EDFC),
                            .bar = rgb(0xCBD6FB),
                            .second = rgb(0x0B7A6B),
                            .second_bar = rgb(0xBDE5DC),
                            .warning = rgb(0xA8400F),
                            .selection = rgb(0xC5D3FF),
                            .button = rgb(0xEEF0F4),
                            .button_hover = rgb(0xE1E5EE)};

constexpr Palette kDark = {.page = rgb(0x12141A),
                           .card = rgb(0x1B1E26),
                           .border = rgb(0x2D323D),
                           .text = rgb(0xE8EAF0),
                           .muted = rgb(0x9AA3B5),
                           .accent = rgb(0x8FA5FF),
                           .on_accent = rgb(0x10131C),
                           .soft = rgb(0x262C42),
                           .bar = rgb(0x35437D),
                           .second = rgb(0x55CDB8),
                           .second_bar = rgb(0x1F564D),
                           .warning = rgb(0xF2A272),
                           .selection = rgb(0x364A8F),
                           .button = rgb(0x282C36),
                           .button_hover = rgb(0x343A47)};

}  // namespace

ImU32 mix(ImU32 a, ImU32 b, float t) {
  t = std::clamp(t, 0.0f, 1.0f);
  const ImVec4 x = ImGui::ColorConvertU32ToFloat4(a);
  const ImVec4 y = ImGui::ColorConvertU32ToFloat4(b);
  return ImGui::ColorConvertFloat4ToU32(
      {x.x + (y.x - x.x) * t, x.y + (y.y - x.y) * t, x.z + (y.z - x.z) * t, x.w + (y.w - x.w) * t});
}

ImU32 with_alpha(ImU32 color, float alpha) {
  const auto a = static_cast<ImU32>(std::clamp(alpha, 0.0f, 1.0f) * 255.0f);
  return (color & ~IM_COL32_A_MASK) | (a << IM_COL32_A_SHIFT);
}

const char* page_color(Theme theme) { return theme == Theme::light ? "#f3f4f7" : "#12141a"; }

void Ui::begin_frame(float pixel_ratio, Theme theme, Language language) {
  palette_ = theme == Theme::light ? &kLight : &kDark;
  language_ = language;
  pixel_ratio_ = pixel_ratio;
  boxes_.clear();

  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  style.WindowPadding = {0, 0};
  style.WindowBorderSize = 0;
  style.WindowRounding = 0;
  style.FramePadding = {12, 8};
  style.FrameRounding = 8;
  style.PopupRounding = 8;
  style.ItemSpacing = {8, 8};
  style.ItemInnerSpacing = {6, 4};
  style.ScrollbarSize = 10;
  style.ScrollbarRounding = 5;
  style.AntiAliasedLinesUseTex = false;
  style.ScaleAllSizes(pixel_ratio);

  const auto set = [&](ImGuiCol index, ImU32 color) {
    style.Colors[index] = ImGui::ColorConvertU32ToFloat4(color);
  };
  const Palette& p = *palette_;
  set(ImGuiCol_Text, p.text);
  set(ImGuiCol_TextDisabled, p.muted);
  set(ImGuiCol_WindowBg, p.page);
  set(ImGuiCol_PopupBg, p.card);
  set(ImGuiCol_Border, p.border);
  set(ImGuiCol_FrameBg, p.button);
  set(ImGuiCol_FrameBgHovered, p.button_hover);
  set(ImGuiCol_FrameBgActive, p.button_hover);
  set(ImGuiCol_Button, p.button);
  set(ImGuiCol_ButtonHovered, p.button_hover);
  set(ImGuiCol_ButtonActive, p.border);
  set(ImGuiCol_Header, p.soft);
  set(ImGuiCol_HeaderHovered, p.button_hover);
  set(ImGuiCol_HeaderActive, p.soft);
  set(ImGuiCol_ScrollbarBg, p.page);
  set(ImGuiCol_ScrollbarGrab, p.border);
  set(ImGuiCol_ScrollbarGrabHovered, p.muted);
  set(ImGuiCol_ScrollbarGrabActive, p.muted);
}

}  // namespace minibert::page
