// Fonts for ImGui 1.86 whose glyphs are drawn into the texture when a text first needs them, so
// that 11,172 syllables at any pixel ratio cost only what is shown. Sources, in order: the first
// font file, the full font file, the browser's own fonts.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "drawing/canvas_renderer.h"
#include "imgui.h"

namespace minibert::page {

// title and strong are bold: headings, and what stands out in a line of small text.
enum class TextSize { small, body, large, title, strong };
inline constexpr int kTextSizes = 5;

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

  // Draws the glyphs of `text` that are missing. Call it before ImGui measures or draws the text.
  void need(TextSize size, std::string_view text);

  ImFont* font(TextSize size) const;
  // True once a character was asked for that only the full font file can have, until that is here.
  bool wants_full_font() const { return wants_full_ && faces_.size() < 2; }
  // True if the texture overflowed: rebuild() before the next frame, with more space.
  bool overflowed() const { return overflowed_; }
  size_t texture_bytes() const { return texture_bytes_; }

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
    std::vector<char32_t> pending;  // shown as blanks until the full font file is here
  };

  void add(Slot& slot, char32_t c);
  bool draw(const Slot& slot, char32_t c, Bitmap* bitmap) const;
  static void embolden(float pixels, Bitmap* bitmap);
  bool place(const Bitmap& bitmap, int* x, int* y);
  void insert(Slot& slot, char32_t c, const Bitmap& bitmap, int x, int y);

  CanvasRenderer* renderer_;
  std::vector<std::unique_ptr<Face>> faces_;
  Slot slots_[kTextSizes];
  size_t texture_bytes_ = 0;
  int texture_width_ = 0, texture_height_ = 0, side_ = 0;
  int area_x_ = 0, area_y_ = 0, area_width_ = 0, area_height_ = 0;  // where new glyphs go
  int pen_x_ = 0, pen_y_ = 0, shelf_ = 0;
  bool wants_full_ = false;
  bool overflowed_ = false;
};

}  // namespace minibert::page
