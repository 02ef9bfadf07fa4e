// The whole page: ImGui's context, fonts, the panels' arrangement, and how many frames are still
// due.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app.h"
#include "editor_view.h"
#include "glyph_cache.h"
#include "panels.h"
#include "pointer_queue.h"
#include "ui.h"

namespace minibert::page {

class Page {
 public:
  explicit Page(std::vector<uint8_t> first_font);

  App& app() { return app_; }
  void add_font(std::vector<uint8_t> file);
  void resize(int width, int height, float pixel_ratio);                     // device pixels
  void pointer(PointerKind kind, float x, float y, bool touch, bool shift);  // CSS pixels
  void wheel(float dx, float dy);                                            // CSS pixels
  bool over_editor(float x, float y) const;                                  // CSS pixels
  void context_restored();

  // Something changed: draw a few frames, because ImGui settles over two or three.
  void wake();
  // Draws one frame; true if another is due.
  bool frame(double seconds);

  // For tests and tools: text, caret, boxes of the widgets, frame counter.
  std::string state() const;

 private:
  void draw();
  void draw_details(float width);
  void report_look();

  App app_;
  GlyphCache glyphs_;
  Ui ui_;
  EditorView editor_view_;
  PointerQueue pointer_;
  PageStats stats_;
  int due_ = 0;
  int width_ = 1, height_ = 1;
  float pixel_ratio_ = 1, font_ratio_ = 0;
  float scroll_ = 0;
  double last_seconds_ = 0;
  bool asked_full_font_ = false;
  int attention_from_ = -1;
  Box agent_;
  std::string cursor_, look_;
};

}  // namespace minibert::page
