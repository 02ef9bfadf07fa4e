// Fonts for ImGui 1.86 whose glyphs are drawn into the texture when a text first needs them, so
// that 11,172 syllables at any pixel ratio cost only what is shown. Sources, in order: our own font
// files, the second for bold sizes alone, then the browser's fonts; while a file is not here, what it
// has is drawn by the browser's, too. Several characters that are drawn together (an emoji with a skin
// tone, a word of Arabic) are one glyph.
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

// title, strong and headline are bold: headings, what stands out in a line of small text, the one result of a card.
enum class TextSize { small, body, large, title, strong, headline };
inline constexpr int kTextSizes = 6;

inline constexpr size_t kFontFiles = 4;  // that make_fonts.py writes

class GlyphCache {
 public:
  // `renderer` keeps the texture, and must outlive this.
  explicit GlyphCache(CanvasRenderer* renderer);
  ~GlyphCache();

  // The height of a line in CSS pixels.
  static float css_size(TextSize size);

  // Adds a TrueType file; its characters come after those of earlier ones. False if it is no font.
  bool add_font(std::vector<uint8_t> file);

  // Makes the texture anew for a pixel ratio (device pixels per CSS pixel). Needs a WebGL context
  // and ImGui_ImplOpenGL3_Init. Called at the start, on a new ratio, when space ran out, and after
  // a lost context.
  void rebuild(float pixel_ratio);

  // The text as ImGui can measure and draw it in one line, its missing glyphs drawn, with a private character
  // (U+E000…) for each glyph (glyph_end()) that is no single character of the basic plane. Holds until the next call; a private character until rebuild().
  std::string_view drawable(TextSize size, std::string_view text);

  ImFont* font(TextSize size) const;
  // True once a character was asked for that only a font file can have that is not here.
  bool wants_font() const { return wants_font_ && faces_.size() < kFontFiles; }
  // True if the texture overflowed: rebuild() before the next frame, with more space.
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
    std::vector<char32_t> pending;  // the browser's until another font file is here
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
  std::vector<std::u32string> clusters_;  // what U+E000 and those after it stand for
  std::unordered_map<std::u32string, char32_t> characters_;
  std::string drawable_;
  int texture_width_ = 0, texture_height_ = 0, side_ = 0;
  int area_x_ = 0, area_y_ = 0, area_width_ = 0, area_height_ = 0;  // where new glyphs go
  int pen_x_ = 0, pen_y_ = 0, shelf_ = 0;
  bool wants_font_ = false;
  bool overflowed_ = false;
};

}  // namespace minibert::page
