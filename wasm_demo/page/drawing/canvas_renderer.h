// Draws ImGui's triangles with WebGL 2. The page owns the whole context, so the state is set once
// and never queried: each query would wait for the browser's GPU process. Without WebGL it does
// nothing, and the page works as its outline (outline.h).
#pragma once

#include <cstdint>
#include <vector>

#include "imgui.h"

namespace minibert::page {

class CanvasRenderer {
 public:
  // Takes the current WebGL context, or none.
  explicit CanvasRenderer(bool has_context) : has_context_(has_context) { restore(); }

  bool has_context() const { return has_context_; }
  // Makes program and buffers; call it again, and make the texture again, after a lost context.
  void restore();

  // Makes the only texture: coverage, 8 bits a pixel.
  ImTextureID make_texture(int width, int height, const uint8_t* pixels);
  void update_texture(int x, int y, int width, int height, const uint8_t* pixels);

  // Returns false if the picture is the same as before and nothing was drawn.
  bool draw(const ImDrawData& data, int width, int height, ImU32 ground);

 private:
  struct Picture {
    int width = 0, height = 0;
    ImU32 ground = 0;
    std::vector<ImDrawVert> vertices;
    std::vector<ImDrawIdx> indices;
    std::vector<ImDrawCmd> commands;
    bool operator==(const Picture& other) const;
  };

  const bool has_context_;
  unsigned program_ = 0, texture_ = 0, vertices_ = 0, indices_ = 0;
  int scale_ = -1;  // the uniform's location
  bool texture_changed_ = true;
  Picture shown_, next_;
};

}  // namespace minibert::page
