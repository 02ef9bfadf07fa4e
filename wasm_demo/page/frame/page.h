// The whole page: ImGui's context, fonts, the arrangement of panels, and frames that are due.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "drawing/canvas_renderer.h"
#include "drawing/glyph_cache.h"
#include "drawing/pointer_queue.h"
#include "drawing/ui.h"
#include "panels/panels.h"
#include "state/app.h"
#include "tabs/tabs.h"

namespace minibert::page {

class Page {
 public:
  Page(std::vector<uint8_t> first_font, bool has_context);

  App& app() { return app_; }
  // See App::open(). The widget that a link names scrolls into the window once it exists.
  void open(std::string_view fragment);
  void add_font(std::vector<uint8_t> file);
  void font_ended(bool came);                             // the requested load has ended
  void resize(int width, int height, float pixel_ratio);  // device pixels
  void set_system(Theme theme, bool touch);
  // JSON, see main.cpp; any other text restores the page's own colors.
  void force_colors(std::string_view json);
  // CSS pixels, seconds on any clock
  void pointer(PointerKind kind, float x, float y, bool touch, bool shift, double seconds);
  void wheel(float dy);  // CSS pixels
  void scroll_by(float windows);
  void field_height(const std::string& field, float pixels);  // of its text, in CSS pixels
  void context_restored();

  // Calls from the outline's elements; `ring`: shows the focus, as after a key.
  void activate(std::string name, std::string value);
  void focus(std::string name, bool ring);

  // Requests a few frames after a change, because ImGui settles over two or three.
  void wake();
  // Draws one frame; true if another is due.
  bool frame(double seconds);

  // Starts or ends picture mode, in which frames show only the content, from its top. Returns the
  // content's height in device pixels in the last frame.
  float take_picture(bool begins);

  // For tests and tools: text, caret, boxes of the widgets, frame counter.
  std::string state() const;

 private:
  void draw();
  void draw_fields();
  void draw_tab(float main, bool two, bool folds);
  void draw_examples();
  void draw_more(float width, bool folds);
  void draw_place(float width);
  void draw_notice();
  void follow();
  Range marked() const;
  void draw_field(size_t index, float most_height);
  void report_look();
  float zoom() const;

  App app_{tabs()};
  CanvasRenderer renderer_;
  GlyphCache glyphs_;
  Ui ui_;
  std::map<std::string, float> field_heights_;
  PointerQueue pointer_;
  PanelState panels_;
  std::optional<Palette> forced_;
  int due_ = 0;
  int width_ = 1, height_ = 1;
  float pixel_ratio_ = 1, font_ratio_ = 0;
  bool touch_ = false;
  float scroll_ = 0;     // device pixels still to scroll up
  std::string reveal_;   // the widget to scroll into the window
  std::string asked_;    // a link's widget, to scroll to the window's top
  std::string focused_;  // the keyboard's place
  double last_seconds_ = 0;
  uint64_t frames_ = 0, drawn_ = 0;
  double ask_font_at_ = 0;  // earliest next request, in seconds
  float top_ = 0;           // how far the page is scrolled down
  float content_height_ = 0;
  bool picture_ = false;
  std::optional<float> scroll_before_picture_;
  bool shown_ = true;  // App::shows_guesses()
  View shown_view_ = View::sentence;
  float left_at_ = 0;  // how far down the tab was when a place was opened
  Range followed_mark_;
  Range followed_selection_;
  uint64_t followed_revision_ = 0;
  int followed_height_ = 0;
  uint64_t shown_revision_ = 0;
  std::string cursor_, look_;
  std::vector<OutlineNode> outline_;
};

}  // namespace minibert::page
