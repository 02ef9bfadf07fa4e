// One button change a frame; a dragged finger lets go of the widget and scrolls instead.
#include "drawing/pointer_queue.h"

#include <cfloat>
#include <cmath>

namespace minibert::page {

void PointerQueue::push(PointerKind kind, float x, float y, bool touch, double seconds) {
  // Whole pixels, as ImGui keeps them: a press that waits for its own fraction would wait for ever.
  events_.push_back({kind, {std::floor(x), std::floor(y)}, touch, seconds});
}

float PointerQueue::apply(ImGuiIO& io, float drag_threshold) {
  float scrolled = 0;
  const ImVec2 kNowhere{-FLT_MAX, -FLT_MAX};
  const ImVec2 seen = io.MousePos;  // by the last frame
  while (!events_.empty()) {
    const Event event = events_.front();
    const bool elsewhere = event.at.x != seen.x || event.at.y != seen.y;
    if (event.kind == PointerKind::down && elsewhere) {
      // ImGui needs one frame with the pointer over a widget before the press.
      io.MousePos = event.at;
      break;
    }
    events_.pop_front();
    const bool was = io.MouseDown[0];
    switch (event.kind) {
      case PointerKind::move:
        if (touch_ && pressed_) {
          if (!dragging_ && std::abs(event.at.y - start_.y) > drag_threshold) {
            dragging_ = true;
            io.MousePos = kNowhere;
            io.MouseDown[0] = false;
          }
          if (dragging_) {
            scrolled += event.at.y - last_.y;
            last_ = event.at;
            break;
          }
        }
        last_ = event.at;
        io.MousePos = event.at;
        break;
      case PointerKind::down:
        pressed_ = true;
        pressed_at_ = event.seconds;
        touch_ = event.touch;
        dragging_ = false;
        start_ = last_ = io.MousePos = event.at;
        io.MouseDown[0] = true;
        break;
      case PointerKind::up:
        if (!dragging_) io.MousePos = event.at;
        pressed_ = dragging_ = false;
        io.MouseDown[0] = false;
        break;
      case PointerKind::leave:
      case PointerKind::cancel:
        pressed_ = dragging_ = false;
        io.MousePos = kNowhere;
        io.MouseDown[0] = false;
        break;
    }
    if (was != io.MouseDown[0]) break;
  }
  return scrolled;
}

}  // namespace minibert::page
