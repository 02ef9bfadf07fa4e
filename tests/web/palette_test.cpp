// Contrast (WCAG 2.2, AA) of everything that the panels put on each other, in both themes.
#include "drawing/palette.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

using namespace minibert::page;

TEST_CASE("contrast is WCAG's") {
  CHECK(contrast(0xFF000000, 0xFFFFFFFF) == Approx(21));
  CHECK(contrast(0xFF777777, 0xFFFFFFFF) == Approx(4.48).margin(0.01));
}

TEST_CASE("text and controls can be told from their ground") {
  for (const Theme theme : {Theme::light, Theme::dark}) {
    INFO((theme == Theme::light ? "light" : "dark"));
    const Palette& p = palette(theme);
    const std::vector<std::pair<Color, std::vector<Color>>> text = {
        {p.text, {p.page, p.card, p.button, p.button_hover, p.soft, p.soft_second, p.selection}},
        {p.muted, {p.page, p.card, p.button, p.button_hover, p.soft}},
        {p.accent, {p.card, p.soft, p.button_hover}},
        {p.second, {p.card, p.soft_second, p.button_hover}},
        {p.on_accent, {p.accent}},
        {p.warning, {p.page, p.card}}};
    for (const auto& [color, grounds] : text)
      for (const Color ground : grounds) {
        INFO(std::hex << color << " on " << ground);
        CHECK(contrast(color, ground) >= 4.5f);
      }
    const std::vector<std::pair<Color, std::vector<Color>>> shapes = {
        {p.outline, {p.page, p.card}},
        {p.focus, {p.page, p.card}},
        {p.accent, {p.card, p.soft, p.border}},
        {p.second, {p.card, p.soft_second, p.border}}};
    for (const auto& [color, grounds] : shapes)
      for (const Color ground : grounds) {
        INFO(std::hex << color << " beside " << ground);
        CHECK(contrast(color, ground) >= 3.0f);
      }
  }
}

TEST_CASE("black or white reads well on every shade of the heat map") {
  for (const Theme theme : {Theme::light, Theme::dark})
    for (int i = 0; i <= 100; ++i) {
      const Color ground = mix(palette(theme).soft, palette(theme).accent, 0.01f * i);
      CHECK(contrast(readable_on(ground), ground) >= 4.5f);
    }
}
