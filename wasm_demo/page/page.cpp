// Frames and arrangement.
#include "page.h"

#include <GLES3/gl3.h>
#include <emscripten/heap.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/utf8.h"
#include "host.h"
#include "imgui_impl_opengl3.h"

namespace minibert::page {
namespace {

constexpr const char* kShaderVersion = "#version 300 es";
constexpr int kSettlingFrames = 3;
constexpr float kMargin = 14;
constexpr float kMaxWidth = 1240;
constexpr float kTwoColumns = 940;
constexpr float kDragThreshold = 8;

const char* css_cursor(ImGuiMouseCursor cursor) {
  if (cursor == ImGuiMouseCursor_TextInput) return "text";
  if (cursor == ImGuiMouseCursor_Hand) return "pointer";
  return "default";
}

}  // namespace

Page::Page(std::vector<uint8_t> first_font) : ui_(&glyphs_) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
  ImGui_ImplOpenGL3_Init(kShaderVersion);
  glyphs_.add_font(std::move(first_font));
}

void Page::add_font(std::vector<uint8_t> file) {
  glyphs_.add_font(std::move(file));
  wake();
}

void Page::resize(int width, int height, float pixel_ratio) {
  width_ = std::max(1, width);
  height_ = std::max(1, height);
  pixel_ratio_ = pixel_ratio;
  wake();
}

void Page::pointer(PointerKind kind, float x, float y, bool touch, bool shift) {
  ImGui::GetIO().KeyShift = shift;
  pointer_.push(kind, x * pixel_ratio_, y * pixel_ratio_, touch);
  wake();
}

void Page::wheel(float, float dy) {
  scroll_ -= dy * pixel_ratio_;
  wake();
}

bool Page::over_editor(float x, float y) const {
  const auto found = ui_.boxes().find("editor");
  if (found == ui_.boxes().end()) return false;
  const Box& box = found->second;
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}

void Page::context_restored() {
  // Anew, not DestroyDeviceObjects(): that keeps the old buffers' sizes.
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplOpenGL3_Init(kShaderVersion);
  font_ratio_ = 0;
  wake();
}

void Page::wake() {
  due_ = kSettlingFrames;
  host::request_frame();
}

bool Page::frame(double seconds) {
  if (font_ratio_ != pixel_ratio_ || glyphs_.overflowed()) {
    glyphs_.rebuild(pixel_ratio_);
    font_ratio_ = pixel_ratio_;
    due_ = kSettlingFrames;
  }
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
  io.DeltaTime = std::max(1e-4f, static_cast<float>(seconds - last_seconds_));
  last_seconds_ = seconds;
  io.FontDefault = glyphs_.font(TextSize::body);
  scroll_ += pointer_.apply(io, kDragThreshold * pixel_ratio_);
  ui_.begin_frame(pixel_ratio_, app_.settings().theme, app_.settings().language);
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  draw();
  ImGui::Render();
  glViewport(0, 0, width_, height_);
  const ImVec4 ground = ImGui::ColorConvertU32ToFloat4(ui_.colors().page);
  glClearColor(ground.x, ground.y, ground.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  ++stats_.frames;

  const uint64_t revision = app_.editor().revision();
  const Settings before = app_.settings();
  app_.publish();
  report_look();
  if (glyphs_.wants_full_font() && !asked_full_font_) {
    asked_full_font_ = true;
    host::want_full_font();
  }
  if (pointer_.pending() || glyphs_.overflowed() || revision != app_.editor().revision() ||
      before != app_.settings())
    due_ = kSettlingFrames;
  return --due_ > 0;
}

void Page::report_look() {
  const Settings& settings = app_.settings();
  const Box caret = editor_view_.caret();
  if (caret.x != agent_.x || caret.y != agent_.y || caret.height != agent_.height) {
    agent_ = caret;
    host::place_text_agent(caret.x, caret.y, caret.height);
  }
  const std::string cursor = css_cursor(ImGui::GetMouseCursor());
  if (cursor != cursor_) host::set_cursor((cursor_ = cursor).c_str());
  const bool dark = settings.theme == Theme::dark;
  const bool korean = settings.language == Language::korean;
  const std::string look = std::string(page_color(settings.theme)) + (korean ? "k" : "e");
  if (look != look_) {
    look_ = look;
    host::set_look(page_color(settings.theme), dark, korean);
  }
}

void Page::draw() {
  stats_.page_megabytes = static_cast<double>(emscripten_get_heap_size()) / 1e6;
  stats_.texture_megabytes = static_cast<double>(glyphs_.texture_bytes()) / 1e6;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::Begin("page", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse);
  const float limit = ImGui::GetScrollMaxY();
  ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() - scroll_, 0.0f, limit));
  scroll_ = 0;

  const float margin = ui_.px(kMargin);
  const float available = static_cast<float>(width_) - 2 * margin;
  const float width = std::floor(std::min(available, ui_.px(kMaxWidth)));
  const float left = std::floor((static_cast<float>(width_) - width) / 2);
  ImGui::SetCursorPos({left, margin});
  draw_header(ui_, app_, width);

  const bool two = width >= ui_.px(kTwoColumns);
  const float gap = ui_.px(12);
  const float main = two ? std::floor((width - gap) * 0.54f) : width;
  const ImVec2 top = ImGui::GetCursorPos();
  ui_.begin_card("sentence", main);
  editor_view_.draw(ui_, app_);
  draw_toolbar(ui_, app_);
  draw_examples(ui_, app_);
  ui_.paragraph(ui_.word(Word::shortcuts), ui_.colors().muted);
  ui_.end_card();
  draw_guesses(ui_, app_, main);
  float bottom = ImGui::GetCursorPosY();
  if (two) ImGui::SetCursorPos({left + main + gap, top.y});
  draw_details(two ? width - main - gap : width);
  bottom = std::max(bottom, ImGui::GetCursorPosY());
  ImGui::SetCursorPos({left, bottom});
  ImGui::Dummy({1, 1});
  ImGui::End();
}

void Page::draw_details(float width) {
  Settings& settings = app_.settings();
  ui_.begin_card("details", width);
  constexpr Word kTitles[] = {Word::attention, Word::tokens, Word::timing, Word::about_model};
  for (int i = 0; i < 4; ++i) {
    if (i) ui_.flow(ui_.button_width(ui_.word(kTitles[i])));
    const std::string name = "view-" + std::to_string(i);
    if (ui_.toggle(name.c_str(), ui_.word(kTitles[i]), settings.view == static_cast<View>(i)))
      settings.view = static_cast<View>(i);
  }
  ImGui::Dummy({1, ui_.px(2)});
  if (settings.view == View::attention) draw_attention(ui_, app_, &attention_from_);
  if (settings.view == View::tokens) draw_tokens(ui_, app_);
  if (settings.view == View::timing) draw_timing(ui_, app_, stats_);
  if (settings.view == View::model) draw_model(ui_, app_);
  ui_.end_card();
}

std::string Page::state() const {
  nlohmann::json json;
  const EditorModel& editor = app_.editor();
  json["text"] = to_utf8(editor.text());
  json["anchor"] = editor.selection().anchor;
  json["caret"] = editor.selection().caret;
  json["composition"] = {editor.composition().begin, editor.composition().end};
  json["frames"] = stats_.frames;
  json["attentionFrom"] = attention_from_;
  json["notice"] = app_.notice_text();
  const Box caret = editor_view_.caret();
  json["caretBox"] = {caret.x, caret.y, caret.width, caret.height};
  for (const auto& [name, box] : ui_.boxes())
    json["boxes"][name] = {box.x, box.y, box.width, box.height};
  return json.dump();
}

}  // namespace minibert::page
