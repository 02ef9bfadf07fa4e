// Fonts for ImGui 1.86 that draw a glyph into the texture when a text first needs it, so that
// 11,172 syllables at any pixel ratio cost only those shown. Sources, in order: our own font files
// (the second only for bold sizes), then the browser's fonts, which also replace a file that has
// not arrived. Characters drawn together (an emoji with a skin tone, a word of Arabic) are one
// glyph.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "drawing/canvas_renderer.h"
#include "imgui.h"

namespace minibert::page {

// title, strong and headline are bold: headings, emphasis in small text, a card's one result.
enum class TextSize { small, body, large, title, strong, headline };
inline constexpr int kTextSizes = 6;

inline constexpr size_t kFontFiles = 4;  // written by make_fonts.py

class GlyphCache {
 public:
  // `renderer` keeps the texture and must outlive this.
  explicit GlyphCache(CanvasRenderer* renderer);
  ~GlyphCache();

  // Returns the height of a line in CSS pixels.
  static float css_size(TextSize size);

  // Adds a TrueType file; earlier files take precedence. Returns false if it is no font.
  bool add_font(std::vector<uint8_t> file);

  // Makes the texture again for a pixel ratio (device pixels per CSS pixel). Needs a WebGL context
  // and ImGui_ImplOpenGL3_Init. Called at the start, for a new ratio, when space ran out, and after
  // a lost context.
  void rebuild(float pixel_ratio);

  // Returns the text as one line that ImGui can measure and draw, and draws its missing glyphs. A
  // private character (U+E000…) replaces each glyph (glyph_end()) that is not a single character of
  // the basic plane. The result is valid until the next call, a private character until rebuild().
  std::string_view drawable(TextSize size, std::string_view text);

  ImFont* font(TextSize size) const;
  // True once a text needs a character that only a missing font file may have.
  bool wants_font() const { return wants_font_ && faces_.size() < kFontFiles; }
  // True if the texture overflowed: call rebuild() with more space before the next frame.
  bool overflowed() const { return overflowed_; }

 private:
  struct Face;
  struct Bitmap {
    std::vector<uint8_t> pixels;
    int width = 0, height = 0, left = 0, top = 0;  // offset from the pen position, y down
    float advance = 0;
  };
  struct Slot {
    float pixels = 0;  // font size in device pixels
    ImFont* font = nullptr;
    bool bold = false;
    std::vector<char32_t> pending;  // drawn by the browser until another font file arrives
  };

  void need(Slot& slot, char32_t c);
  void add(Slot& slot, char32_t c);
  char32_t character_for(std::u32string_view glyph);
  void draw_by_browser(const Slot& slot, std::u32string_view glyph, Bitmap* bitmap) const;
  bool draw(const Slot& slot, char32_t c, Bitmap* bitmap) const;
  bool place(const Bitmap& bitmap, int* x, int* y);
  void insert(Slot& slot, char32_t c, const Bitmap& bitmap, int x, int y);

  CanvasRenderer* renderer_;
  std::vector<std::unique_ptr<Face>> faces_;
  Slot slots_[kTextSizes];
  std::vector<std::u32string> clusters_;  // the glyphs of U+E000 and following
  std::unordered_map<std::u32string, char32_t> characters_;
  std::string drawable_;
  int texture_width_ = 0, texture_height_ = 0, side_ = 0;
  int area_x_ = 0, area_y_ = 0, area_width_ = 0, area_height_ = 0;  // place of the next glyphs
  int pen_x_ = 0, pen_y_ = 0, shelf_ = 0;
  bool wants_font_ = false;
  bool overflowed_ = false;
};

}  // namespace minibert::page
