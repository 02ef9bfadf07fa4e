#include "drawing/palette.h"

#include <algorithm>
#include <cmath>

namespace minibert::page {
namespace {

constexpr Color rgb(uint32_t hex) {
  return 0xFF000000u | (hex & 255) << 16 | (hex & 0xFF00) | hex >> 16;
}

constexpr Color kBlack = rgb(0x000000);
constexpr Color kWhite = rgb(0xFFFFFF);

constexpr Palette kLight = {.page = rgb(0xF3F4F7),
                            .card = rgb(0xFFFFFF),
                            .border = rgb(0xDFE3EA),
                            .text = rgb(0x1A1F29),
                            .muted = rgb(0x525B6B),
                            .accent = rgb(0x3454D1),
                            .on_accent = rgb(0xFFFFFF),
                            .soft = rgb(0xE9EDFC),
                            .second = rgb(0x0A7264),
                            .soft_second = rgb(0xDDF2ED),
                            .warning = rgb(0xA03A0C),
                            .selection = rgb(0xC5D3FF),
                            .focus = rgb(0xC2410C),
                            .button = rgb(0xEEF0F4),
                            .button_hover = rgb(0xE1E5EE),
                            .outline = rgb(0x808899),
                            .kinds = {rgb(0x3454D1), rgb(0x0A7264), rgb(0x8A3FA8), rgb(0xA03A0C),
                                      rgb(0x7A5C00), rgb(0xB0245C)}};

constexpr Palette kDark = {.page = rgb(0x12141A),
                           .card = rgb(0x1B1E26),
                           .border = rgb(0x2D323D),
                           .text = rgb(0xE8EAF0),
                           .muted = rgb(0xA9B1C1),
                           .accent = rgb(0x8FA5FF),
                           .on_accent = rgb(0x10131C),
                           .soft = rgb(0x262C42),
                           .second = rgb(0x55CDB8),
                           .soft_second = rgb(0x1C3A36),
                           .warning = rgb(0xF2A272),
                           .selection = rgb(0x364A8F),
                           .focus = rgb(0xFFB068),
                           .button = rgb(0x282C36),
                           .button_hover = rgb(0x343A47),
                           .outline = rgb(0x737B8C),
                           .kinds = {rgb(0x8FA5FF), rgb(0x55CDB8), rgb(0xD69BEF), rgb(0xF2A272),
                                     rgb(0xE0C25A), rgb(0xFF8DB4)}};

float channel(Color color, int shift) { return static_cast<float>(color >> shift & 255) / 255; }

// Relative luminance (WCAG 2.2).
float luminance(Color color) {
  const auto linear = [](float value) {
    return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
  };
  return 0.2126f * linear(channel(color, 0)) + 0.7152f * linear(channel(color, 8)) +
         0.0722f * linear(channel(color, 16));
}

}  // namespace

const Palette& palette(Theme theme) { return theme == Theme::light ? kLight : kDark; }

float contrast(Color a, Color b) {
  const float x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05f) / (std::min(x, y) + 0.05f);
}

Color readable_on(Color ground) {
  return contrast(kBlack, ground) > contrast(kWhite, ground) ? kBlack : kWhite;
}

Color mix(Color a, Color b, float t) {
  t = std::clamp(t, 0.0f, 1.0f);
  Color out = 0xFF000000u;
  for (const int shift : {0, 8, 16}) {
    const float value = channel(a, shift) + (channel(b, shift) - channel(a, shift)) * t;
    out |= static_cast<Color>(std::lround(255 * value)) << shift;
  }
  return out;
}

Color with_alpha(Color color, float alpha) {
  return (color & 0x00FFFFFFu) |
         static_cast<Color>(std::lround(255 * std::clamp(alpha, 0.0f, 1.0f))) << 24;
}

std::string css_color(Color color) {
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", color & 255, color >> 8 & 255,
                color >> 16 & 255);
  return text;
}

}  // namespace minibert::page
