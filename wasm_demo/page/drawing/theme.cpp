// ImGui's style from the palette.
#include <algorithm>
#include <cmath>

#include "drawing/ui.h"

namespace minibert::page {

void Ui::begin_frame(const Look& look) {
  look_ = look;
  boxes_.clear();
  outline_.clear();

  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  style.WindowPadding = {0, 0};
  style.WindowBorderSize = 0;
  style.WindowRounding = 0;
  style.FramePadding = {12, (target(33) - GlyphCache::css_size(TextSize::body)) / 2};
  style.FrameRounding = 8;
  style.FrameBorderSize = 1;
  style.ItemSpacing = {8, 8};
  style.ItemInnerSpacing = {6, 4};
  style.ScrollbarSize = 10;
  style.ScrollbarRounding = 5;
  style.DisabledAlpha = 0.5f;
  style.AntiAliasedLinesUseTex = false;
  style.ScaleAllSizes(look.pixel_ratio * look.zoom);
  style.FrameBorderSize = std::max(1.0f, std::floor(look.pixel_ratio * look.zoom));

  const auto set = [&](ImGuiCol index, Color color) {
    style.Colors[index] = ImGui::ColorConvertU32ToFloat4(color);
  };
  const Palette& p = *look.palette;
  set(ImGuiCol_Text, p.text);
  set(ImGuiCol_TextDisabled, p.muted);
  set(ImGuiCol_WindowBg, p.page);
  set(ImGuiCol_Border, p.outline);
  set(ImGuiCol_Button, p.button);
  set(ImGuiCol_ButtonHovered, p.button_hover);
  set(ImGuiCol_ButtonActive, p.border);
  set(ImGuiCol_ScrollbarBg, p.page);
  set(ImGuiCol_ScrollbarGrab, p.outline);
  set(ImGuiCol_ScrollbarGrabHovered, p.muted);
  set(ImGuiCol_ScrollbarGrabActive, p.muted);
}

}  // namespace minibert::page
