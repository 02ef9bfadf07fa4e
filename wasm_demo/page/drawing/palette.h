// The page's colors and their contrasts. Knows nothing of drawing.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace minibert::page {

enum class Theme { light, dark };

using Color = uint32_t;  // 0xAABBGGRR, as ImGui packs it

// Text on its ground, also on a bar, has a contrast of at least 4.5 : 1; a control's edge, a bar
// and the focus ring at least 3 : 1 against their surroundings (WCAG 2.2, AA).
struct Palette {
  Color page, card, border;         // grounds, and the hairline between them
  Color text, muted;                // on page, card, button, soft
  Color accent, on_accent, soft;    // the first model, pressed buttons; tinted ground
  Color second, soft_second;        // the second model
  Color warning, selection, focus;  // text of errors; ground of selected text; ring
  Color button, button_hover, outline;
  std::array<Color, 6> kinds;  // six distinct colors for text on card
};

const Palette& palette(Theme theme);

// Returns (lighter + 0.05) / (darker + 0.05) of the relative luminances: 1 to 21.
float contrast(Color a, Color b);
// Returns black or white, whichever is more readable on `ground`: never below 4.5 : 1.
Color readable_on(Color ground);

std::string css_color(Color color);

// Mixes `a` with `b` by t in [0, 1]; opaque.
Color mix(Color a, Color b, float t);
Color with_alpha(Color color, float alpha);

}  // namespace minibert::page
