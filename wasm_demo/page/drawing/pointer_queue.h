// Mouse and touch for ImGui 1.86, which sees only the state at each frame: a press and its release
// that arrive between two frames reach it in two frames, so that no click is lost. Also turns a
// finger's drag into scrolling.
#pragma once

#include <deque>

#include "imgui.h"
#include "words/names.h"

namespace minibert::page {

// Named as in web/canvas_input.js.
#define MINIBERT_POINTERS(POINTER) \
  POINTER(move) POINTER(down) POINTER(up) POINTER(leave) POINTER(cancel)
MINIBERT_NAMED(PointerKind, MINIBERT_POINTERS)

class PointerQueue {
 public:
  // Device pixels. `touch`: a drag from this press scrolls. `seconds`: its time, on any clock.
  void push(PointerKind kind, float x, float y, bool touch, double seconds);
  // Call before ImGui::NewFrame(). Returns the scroll distance of a drag in device pixels.
  float apply(ImGuiIO& io, float drag_threshold);
  // Time of the last press that ImGui has received.
  double pressed_at() const { return pressed_at_; }
  bool pending() const { return !events_.empty(); }

 private:
  struct Event {
    PointerKind kind;
    ImVec2 at;
    bool touch;
    double seconds;
  };
  std::deque<Event> events_;
  bool pressed_ = false;
  bool touch_ = false;
  bool dragging_ = false;
  ImVec2 start_, last_;
  double pressed_at_ = 0;
};

}  // namespace minibert::page
