// The page's few widgets over ImGui. Measures are CSS pixels, drawn in device pixels; every string
// passes the glyph cache (drawable) before ImGui sees it; every widget adds itself to the outline,
// through which it can be focused and pressed without a pointer.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drawing/glyph_cache.h"
#include "drawing/outline.h"
#include "drawing/palette.h"
#include "imgui.h"
#include "words/words.h"

namespace minibert::page {

// Settings of the browser and the user's machine for one frame.
struct Look {
  float pixel_ratio = 1;  // device pixels per CSS pixel
  float zoom = 1;         // of the page's type and measures
  const Palette* palette = nullptr;
  Language language = Language::korean;
  bool touch = false;    // fingers: targets of 44 pixels
  bool compact = false;  // a phone's width
  bool picture = false;  // for a picture of the content, without controls
};

// A button's emphasis: primary is the one action of its card, quiet one of many tools.
enum class Weight { plain, primary, quiet };

enum class Icon { undo, more };

// A card's look: a rounded panel, or no frame and the content's width.
enum class Frame { panel, none };

class Ui {
 public:
  explicit Ui(GlyphCache* glyphs) : glyphs_(glyphs) {}

  void begin_frame(const Look& look);
  // Converts the page's measure to device pixels.
  float px(float css) const { return css * look_.pixel_ratio * look_.zoom; }
  float pixel_ratio() const { return look_.pixel_ratio; }
  const Palette& colors() const { return *look_.palette; }
  std::string_view word(Word word) const { return say(word, look_.language); }
  Language language() const { return look_.language; }
  bool touch() const { return look_.touch; }
  bool compact() const { return look_.compact; }
  bool picture() const { return look_.picture; }
  ImFont* font(TextSize size) const { return glyphs_->font(size); }
  // Height of a target that a finger or a mouse can hit, in the page's measure.
  float target(float with_mouse) const {
    return touch() ? std::max(44.0f, with_mouse) : with_mouse;
  }

  std::string_view drawable(TextSize size, std::string_view text) {
    return glyphs_->drawable(size, text);
  }
  ImVec2 measure(TextSize size, std::string_view text);
  void draw_text(ImVec2 at, TextSize size, Color color, std::string_view text);
  // Returns as much of the text as fits `width`, with an ellipsis if it was cut.
  std::string elide(TextSize size, std::string_view text, float width);
  // Returns the text in lines that end between words, of at most `width` unless a word is wider.
  std::vector<std::string> lines(TextSize size, std::string_view text, float width);

  // Draw in the flow of the current ImGui window. A paragraph with a `name` is in the outline.
  void label(std::string_view text, Color color, TextSize size = TextSize::body);
  void paragraph(std::string_view text, Color color, TextSize size = TextSize::small,
                 std::string_view name = {});
  // A heading of a card, which is also the card's name in the outline.
  void card_title(std::string_view text);
  // A heading within a card.
  void section(std::string_view text, std::string_view name);
  bool button(const char* name, std::string_view text, bool enabled = true,
              Weight weight = Weight::plain);
  bool toggle(const char* name, std::string_view text, bool on);  // one of a row of choices
  // One of the page's tabs, `width` device pixels wide; or one of a card's.
  bool tab(const char* name, std::string_view text, bool on, float width, bool in_card = false);
  float tab_text_width(std::string_view text, bool in_card = false);
  // A square button with its label in the outline. `on`: makes it a toggle.
  bool icon(const char* name, std::string_view label, Icon icon, bool enabled = true,
            std::optional<bool> on = {});
  // A target of any look, `width` × `height` device pixels at the cursor. `part`: its bar's.
  bool target_area(const std::string& name, std::string_view label, ImVec2 size, float part = -1);
  // A list that the browser opens. Returns the option that the user has just chosen.
  std::optional<size_t> select(const char* name, std::string_view label,
                               const std::vector<std::string>& options, size_t current,
                               float width);
  // A line with a knob, its label before and its value behind it. Returns the number that the user
  // has just chosen.
  std::optional<double> slider(const char* name, std::string_view label, const Scale& scale,
                               float width);
  // Keeps the next widget on this line if `width` device pixels fit, else begins a line.
  void flow(float width, float gap_css = 6);
  float button_width(std::string_view text);
  float button_height() const { return px(target(33)); }
  ImVec2 button_size(std::string_view text) { return {button_width(text), button_height()}; }

  // A card: a rounded panel as high as its content; a region in the outline.
  void begin_card(const char* name, std::string_view title, float width,
                  Frame frame = Frame::panel);
  void end_card();
  float inner_width() const { return card_width_ - 2 * card_padding(); }
  float right_edge() const { return card_x_ + card_width_ - card_padding(); }

  Box box(ImVec2 low, ImVec2 high) const;
  Box last_item() const { return box(ImGui::GetItemRectMin(), ImGui::GetItemRectMax()); }
  void mark(const std::string& name, const Box& box) { boxes_[name] = box; }
  const std::map<std::string, Box>& boxes() const { return boxes_; }
  Outline& outline() { return outline_; }
  const Outline& outline() const { return outline_; }

  // Calls from the outline's elements: press a widget in the next frame, with the chosen option's
  // index for a select; show the keyboard's place ("": nowhere).
  void activate(std::string name, std::string value) { activated_[std::move(name)] = value; }
  void focus(std::string name) { focused_ = std::move(name); }
  const std::string& focused() const { return focused_; }
  bool has_activations() const { return !activated_.empty(); }
  // True once if the widget was pressed from the outline.
  bool activated(const std::string& name, std::string* value = nullptr);
  // Draws a ring around the focused widget over all else; call after the last widget.
  void draw_focus_ring();

 private:
  float card_padding() const { return frame_ == Frame::none ? 0 : px(look_.compact ? 12 : 16); }

  std::string button_label(const char* name, std::string_view text);
  void draw_icon(ImVec2 at, Icon icon, Color color);

  GlyphCache* glyphs_;
  Look look_;
  std::map<std::string, Box> boxes_;
  Outline outline_;
  std::map<std::string, std::string> activated_;
  std::string focused_;
  std::string card_name_;
  Frame frame_ = Frame::panel;
  size_t card_node_ = 0;
  float card_x_ = 0, card_y_ = 0, card_width_ = 0;
};

}  // namespace minibert::page
