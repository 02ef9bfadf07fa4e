// The page's few widgets over ImGui: everything is measured in CSS pixels and drawn in device
// pixels, and every string passes the glyph cache before ImGui sees it.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "glyph_cache.h"
#include "i18n.h"
#include "imgui.h"
#include "settings.h"

namespace minibert::page {

struct Palette {
  ImU32 page, card, border, text, muted, accent, on_accent, soft, bar, second, second_bar, warning,
      selection, button, button_hover;
};

// Where a named part of the page was drawn last, in CSS pixels: for tests and for the text agent.
struct Box {
  float x = 0, y = 0, width = 0, height = 0;
};

class Ui {
 public:
  explicit Ui(GlyphCache* glyphs) : glyphs_(glyphs) {}

  void begin_frame(float pixel_ratio, Theme theme, Language language);
  float px(float css) const { return css * pixel_ratio_; }
  float pixel_ratio() const { return pixel_ratio_; }
  const Palette& colors() const { return *palette_; }
  std::string_view word(Word word) const { return say(word, language_); }
  Language language() const { return language_; }
  ImFont* font(TextSize size) const { return glyphs_->font(size); }

  ImVec2 measure(TextSize size, std::string_view text);
  void draw_text(ImVec2 at, TextSize size, ImU32 color, std::string_view text);
  // As much of the text as fits `width`, with an ellipsis where it was cut.
  std::string elide(TextSize size, std::string_view text, float width);

  // In the flow of the current ImGui window.
  void label(std::string_view text, ImU32 color, TextSize size = TextSize::body);
  void paragraph(std::string_view text, ImU32 color, TextSize size = TextSize::small);
  bool button(const char* name, std::string_view text, bool enabled = true, bool primary = false);
  bool toggle(const char* name, std::string_view text, bool on);  // one of a row of choices
  // Keeps the next widget on this line if `width` (device pixels) still fits, else begins a new
  // line.
  void flow(float width, float gap_css = 6);
  float button_width(std::string_view text) { return measure(TextSize::body, text).x + px(24); }
  bool begin_combo(const char* name, std::string_view shown, float width);
  bool combo_item(const char* name, std::string_view text, bool selected);

  // A card: a rounded panel of a given width, its height from what is in it.
  void begin_card(const char* name, float width);
  void end_card();
  float inner_width() const { return card_width_ - 2 * px(kCardPadding); }
  float right_edge() const { return card_x_ + card_width_ - px(kCardPadding); }

  void mark(const std::string& name, ImVec2 low, ImVec2 high);
  void mark_last_item(const std::string& name);
  const std::map<std::string, Box>& boxes() const { return boxes_; }

  static constexpr float kCardPadding = 16;

 private:
  GlyphCache* glyphs_;
  const Palette* palette_ = nullptr;
  float pixel_ratio_ = 1;
  Language language_ = Language::korean;
  std::map<std::string, Box> boxes_;
  std::string card_name_;
  float card_x_ = 0, card_y_ = 0, card_width_ = 0;
};

// `a` towards `b` by t in [0, 1].
ImU32 mix(ImU32 a, ImU32 b, float t);
ImU32 with_alpha(ImU32 color, float alpha);
// A CSS color ("#rrggbb") of the palette's page background.
const char* page_color(Theme theme);

}  // namespace minibert::page
