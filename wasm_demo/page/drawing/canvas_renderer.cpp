#include "drawing/canvas_renderer.h"

#include <GLES3/gl3.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace minibert::page {
namespace {

constexpr const char* kVertexShader = R"(#version 300 es
uniform vec2 scale;
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 texture_position;
layout(location = 2) in vec4 color;
out vec2 at;
out vec4 tint;
void main() {
  at = texture_position;
  tint = color;
  gl_Position = vec4(position * scale + vec2(-1, 1), 0, 1);
})";

// Thin dark strokes on light ground look paler than they are: their edges are strengthened.
constexpr const char* kFragmentShader = R"(#version 300 es
precision mediump float;
uniform sampler2D coverage;
in vec2 at;
in vec4 tint;
out vec4 pixel;
void main() {
  float strength = mix(0.72, 1.0, dot(tint.rgb, vec3(0.3, 0.59, 0.11)));
  pixel = vec4(tint.rgb, tint.a * pow(texture(coverage, at).r, strength));
})";

unsigned compile(unsigned kind, const char* source) {
  const unsigned shader = glCreateShader(kind);
  glShaderSource(shader, 1, &source, nullptr);
  glCompileShader(shader);
  return shader;
}

const void* offset(size_t bytes) { return reinterpret_cast<const void*>(bytes); }

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

bool same_command(const ImDrawCmd& a, const ImDrawCmd& b) {
  return a.ElemCount == b.ElemCount && a.IdxOffset == b.IdxOffset && a.VtxOffset == b.VtxOffset &&
         std::memcmp(&a.ClipRect, &b.ClipRect, sizeof a.ClipRect) == 0;
}

}  // namespace

bool CanvasRenderer::Picture::operator==(const Picture& other) const {
  return width == other.width && height == other.height && ground == other.ground &&
         same_bytes(vertices, other.vertices) && same_bytes(indices, other.indices) &&
         std::equal(commands.begin(), commands.end(), other.commands.begin(), other.commands.end(),
                    same_command);
}

void CanvasRenderer::restore() {
  if (!has_context_) return;
  texture_ = 0;
  shown_ = {};
  program_ = glCreateProgram();
  glAttachShader(program_, compile(GL_VERTEX_SHADER, kVertexShader));
  glAttachShader(program_, compile(GL_FRAGMENT_SHADER, kFragmentShader));
  glLinkProgram(program_);
  glUseProgram(program_);
  scale_ = glGetUniformLocation(program_, "scale");
  glGenBuffers(1, &vertices_);
  glGenBuffers(1, &indices_);
  glBindBuffer(GL_ARRAY_BUFFER, vertices_);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices_);
  for (unsigned i = 0; i < 3; ++i) glEnableVertexAttribArray(i);
  constexpr int kStride = sizeof(ImDrawVert);
  glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, kStride, offset(offsetof(ImDrawVert, pos)));
  glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, kStride, offset(offsetof(ImDrawVert, uv)));
  glVertexAttribPointer(2, 4, GL_UNSIGNED_BYTE, GL_TRUE, kStride,
                        offset(offsetof(ImDrawVert, col)));
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
}

ImTextureID CanvasRenderer::make_texture(int width, int height, const uint8_t* pixels) {
  texture_changed_ = true;
  if (has_context_) {
    if (texture_) glDeleteTextures(1, &texture_);
    glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, width, height, 0, GL_RED, GL_UNSIGNED_BYTE, pixels);
  }
  return reinterpret_cast<ImTextureID>(static_cast<intptr_t>(1));  // there is but one
}

void CanvasRenderer::update_texture(int x, int y, int width, int height, const uint8_t* pixels) {
  texture_changed_ = true;
  if (!has_context_) return;
  glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, width, height, GL_RED, GL_UNSIGNED_BYTE, pixels);
}

bool CanvasRenderer::draw(const ImDrawData& data, int width, int height, ImU32 ground) {
  next_.width = width;
  next_.height = height;
  next_.ground = ground;
  next_.vertices.clear();
  next_.indices.clear();
  next_.commands.clear();
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    // One buffer for all lists: a command's indices count from its own list's first vertex.
    const auto first_vertex = static_cast<ImDrawIdx>(next_.vertices.size());
    const auto first_index = static_cast<unsigned>(next_.indices.size());
    for (const ImDrawCmd& command : list.CmdBuffer) {
      next_.commands.push_back(command);
      next_.commands.back().IdxOffset += first_index;
    }
    next_.vertices.insert(next_.vertices.end(), list.VtxBuffer.begin(), list.VtxBuffer.end());
    for (const ImDrawIdx index : list.IdxBuffer) next_.indices.push_back(first_vertex + index);
  }
  if (!texture_changed_ && next_ == shown_) return false;
  texture_changed_ = false;
  std::swap(shown_, next_);
  if (!has_context_) return true;

  glViewport(0, 0, width, height);
  const ImVec4 clear = ImGui::ColorConvertU32ToFloat4(ground);
  glDisable(GL_SCISSOR_TEST);
  glClearColor(clear.x, clear.y, clear.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_SCISSOR_TEST);
  glUniform2f(scale_, 2 / static_cast<float>(width), -2 / static_cast<float>(height));
  const auto bytes = [](const auto& items) {
    return static_cast<GLsizeiptr>(items.size() * sizeof(items[0]));
  };
  glBufferData(GL_ARRAY_BUFFER, bytes(shown_.vertices), shown_.vertices.data(), GL_STREAM_DRAW);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, bytes(shown_.indices), shown_.indices.data(),
               GL_STREAM_DRAW);
  for (const ImDrawCmd& command : shown_.commands) {
    const auto left = static_cast<int>(std::max(0.0f, command.ClipRect.x));
    const auto top = static_cast<int>(std::max(0.0f, command.ClipRect.y));
    const auto right = static_cast<int>(std::min<float>(width, command.ClipRect.z));
    const auto bottom = static_cast<int>(std::min<float>(height, command.ClipRect.w));
    if (right <= left || bottom <= top) continue;
    glScissor(left, height - bottom, right - left, bottom - top);
    glDrawElements(GL_TRIANGLES, static_cast<int>(command.ElemCount), GL_UNSIGNED_INT,
                   offset(command.IdxOffset * sizeof(ImDrawIdx)));
  }
  return true;
}

}  // namespace minibert::page
