// Draws ImGui's triangles with WebGL 2. The page owns the whole context, so state is set once and
// never asked for: each question would wait for the browser's GPU process. Without WebGL it does
// nothing, and the page goes on as its outline (outline.h).
#pragma once

#include <cstdint>
#include <vector>

#include "imgui.h"

namespace minibert::page {

class CanvasRenderer {
 public:
  // With a current WebGL context, or without any.
  explicit CanvasRenderer(bool has_context) : has_context_(has_context) { restore(); }

  bool has_context() const { return has_context_; }
  // Makes program and buffers; after a lost context anew, when the texture must be made anew, too.
  void restore();

  // The one texture: coverage, 8 bits a pixel.
  ImTextureID make_texture(int width, int height, const uint8_t* pixels);
  void update_texture(int x, int y, int width, int height, const uint8_t* pixels);

  // False where nothing had to be drawn: the picture is the one that stands.
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
  int scale_ = -1;  // location of the uniform
  bool texture_changed_ = true;
  Picture shown_, next_;
};

}  // namespace minibert::page
