// Frames and arrangement.
#include "frame/page.h"

#include <emscripten/heap.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/utf8.h"
#include "host/host.h"

namespace minibert::page {
namespace {

constexpr int kSettlingFrames = 3;
constexpr float kMargin = 14;  // wider than ImGui's scroll bar, which lies in it
constexpr float kMaxWidth = 1240;
constexpr float kTwoColumns = 940;
constexpr float kDragThreshold = 8;
constexpr float kLessonZoom = 1.35f;
constexpr float kLessonWindow = 900;  // CSS pixels; on a smaller one there is no room for it
constexpr double kAskFontAgain = 30;  // seconds after a load that failed

const char* css_cursor(ImGuiMouseCursor cursor) {
  if (cursor == ImGuiMouseCursor_TextInput) return "text";
  if (cursor == ImGuiMouseCursor_Hand) return "pointer";
  return "default";
}

std::string css_color(Color color) {
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", color & 255, color >> 8 & 255,
                color >> 16 & 255);
  return text;
}

bool holds(const Box& box, float x, float y) {
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}

}  // namespace

Page::Page(std::vector<uint8_t> first_font, bool has_context)
    : renderer_(has_context), glyphs_(&renderer_), ui_(&glyphs_) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
  glyphs_.add_font(std::move(first_font));
  for (const Tab& tab : tabs()) {
    std::vector<EditorView>& views = views_.emplace_back();
    for (const Field& field : tab.fields) views.emplace_back(field.look);
  }
}

void Page::add_font(std::vector<uint8_t> file) {
  glyphs_.add_font(std::move(file));
  wake();
}

void Page::full_font_ended() { ask_font_at_ = last_seconds_ + kAskFontAgain; }

void Page::resize(int width, int height, float pixel_ratio) {
  width_ = std::max(1, width);
  height_ = std::max(1, height);
  pixel_ratio_ = pixel_ratio;
  wake();
}

void Page::set_system(Theme theme, bool touch) {
  app_.set_system_theme(theme);
  touch_ = touch;
  wake();
}

void Page::force_colors(std::string_view json) {
  forced_.reset();
  wake();
  const nlohmann::json colors = nlohmann::json::parse(json, nullptr, false);
  if (!colors.is_object()) return;
  const auto named = [&](const char* name) {
    const auto found = colors.find(name);
    uint32_t hex = 0;
    if (found != colors.end() && found->is_string()) {
      const auto text = found->get<std::string>();
      std::from_chars(text.data(), text.data() + text.size(), hex, 16);
    }
    return 0xFF000000u | (hex & 255) << 16 | (hex & 0xFF00) | hex >> 16;
  };
  const Color ground = named("Canvas"), text = named("CanvasText"), link = named("LinkText");
  const Color button = named("ButtonFace"), marked = named("Highlight");
  forced_ = Palette{.page = ground,
                    .card = ground,
                    .border = text,
                    .text = text,
                    .muted = text,
                    .accent = link,
                    .on_accent = readable_on(link),
                    .soft = ground,
                    .second = text,
                    .soft_second = ground,
                    .warning = text,
                    .selection = mix(ground, marked, 0.4f),
                    .focus = marked,
                    .button = button,
                    .button_hover = button,
                    .outline = text};
}

void Page::pointer(PointerKind kind, float x, float y, bool touch, bool shift, double seconds) {
  ImGui::GetIO().KeyShift = shift;
  pointer_.push(kind, x * pixel_ratio_, y * pixel_ratio_, touch, seconds);
  wake();
}

void Page::wheel(float x, float y, float dy) {
  bool scrolled = false;
  for (EditorView& view : views_[app_.settings().chosen]) {
    const auto box = ui_.boxes().find(view.name());
    if (box != ui_.boxes().end() && holds(box->second, x, y))
      scrolled = view.scroll(dy * pixel_ratio_);
  }
  if (!scrolled) scroll_ -= dy * pixel_ratio_;
  wake();
}

void Page::scroll_by(float windows) {
  scroll_ -= windows * static_cast<float>(height_);
  wake();
}

bool Page::over_editor(float x, float y) const {
  for (const EditorView& view : views_[app_.settings().chosen]) {
    const auto found = ui_.boxes().find(view.name());
    if (found != ui_.boxes().end() && holds(found->second, x, y)) return true;
  }
  return false;
}

const EditorView& Page::edited() const { return views_[app_.settings().chosen][app_.edited()]; }

void Page::context_restored() {
  renderer_.restore();
  font_ratio_ = 0;
  wake();
}

void Page::activate(std::string name, std::string value) {
  ui_.activate(std::move(name), std::move(value));
  wake();
}

void Page::focus(std::string name, bool ring) {
  for (std::vector<EditorView>& views : views_)
    for (EditorView& view : views) view.set_focused(name == "editor");
  ui_.focus(ring ? name : "");
  if (ring) reveal_ = std::move(name);
  wake();
}

void Page::wake() {
  due_ = kSettlingFrames;
  host::request_frame();
}

float Page::zoom() const {
  const bool room = static_cast<float>(width_) >= kLessonWindow * pixel_ratio_;
  return app_.settings().lesson && room ? kLessonZoom : 1;
}

bool Page::frame(double seconds) {
  const float ratio = pixel_ratio_ * zoom();
  if (font_ratio_ != ratio || glyphs_.overflowed()) {
    glyphs_.rebuild(ratio);
    font_ratio_ = ratio;
    due_ = kSettlingFrames;
  }
  // What is pressed in this frame is shown by the next ones.
  if (pointer_.pending() || ui_.has_activations()) due_ = kSettlingFrames;
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
  io.DeltaTime = std::max(1e-4f, static_cast<float>(seconds - last_seconds_));
  last_seconds_ = seconds;
  io.FontDefault = glyphs_.font(TextSize::body);
  scroll_ += pointer_.apply(io, kDragThreshold * pixel_ratio_);
  for (EditorView& view : views_[app_.settings().chosen])
    view.set_pressed_at(pointer_.pressed_at());
  const Palette& own = palette(app_.theme());
  ui_.begin_frame(
      {pixel_ratio_, zoom(), forced_ ? &*forced_ : &own, app_.settings().language, touch_});
  ImGui::NewFrame();
  draw();
  ui_.draw_focus_ring();
  ImGui::Render();
  ++panels_.frames;
  if (renderer_.draw(*ImGui::GetDrawData(), width_, height_, ui_.colors().page)) ++drawn_;

  const uint64_t revision = app_.editor().revision();
  const Settings before = app_.settings();
  app_.publish();
  report_look();
  if (glyphs_.wants_full_font() && seconds >= ask_font_at_ && renderer_.has_context()) {
    ask_font_at_ = std::numeric_limits<double>::infinity();
    host::want_full_font();
  }
  if (pointer_.pending() || glyphs_.overflowed() || revision != app_.editor().revision() ||
      before != app_.settings() || scroll_ != 0 || ui_.has_activations())
    due_ = std::max(due_, 2);
  return --due_ > 0;
}

void Page::report_look() {
  const Settings& settings = app_.settings();
  const Box caret = edited().caret();
  if (caret != agent_) {
    agent_ = caret;
    host::place_text_agent(caret.x, caret.y, caret.height);
  }
  const std::string cursor = css_cursor(ImGui::GetMouseCursor());
  if (cursor != cursor_) host::set_cursor((cursor_ = cursor).c_str());
  const bool korean = settings.language == Language::korean;
  const std::string ground = css_color(ui_.colors().page);
  const bool dark = contrast(ui_.colors().page, 0xFF000000u) < contrast(ui_.colors().page, ~0u);
  const std::string look = ground + (korean ? "k" : "e") + (dark ? "d" : "l");
  if (look != look_) {
    look_ = look;
    host::set_look(ground.c_str(), dark, korean);
  }
  if (ui_.outline().nodes() != outline_) {
    outline_ = ui_.outline().nodes();
    host::show_outline(ui_.outline().json());
  }
}

void Page::draw() {
  panels_.page_megabytes = static_cast<double>(emscripten_get_heap_size()) / 1e6;
  panels_.texture_megabytes = static_cast<double>(glyphs_.texture_bytes()) / 1e6;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::Begin("page", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse);
  const float limit = ImGui::GetScrollMaxY();
  if (scroll_ != 0) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() - scroll_, 0.0f, limit));
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
  draw_tab(main, two);
  float bottom = ImGui::GetCursorPosY();
  if (two) ImGui::SetCursorPos({left + main + gap, top.y});
  const float rest = two ? width - main - gap : width;
  if (app_.tab().masks) {
    draw_details(ui_, app_, panels_, rest);
  } else {
    if (two) app_.tab().draw(ui_, app_, rest);
    ui_.begin_card("details", ui_.word(Word::about_model), rest);
    draw_model(ui_, app_, panels_);
    ui_.end_card();
  }
  bottom = std::max(bottom, ImGui::GetCursorPosY());
  ImGui::SetCursorPos({left, bottom});
  ImGui::Dummy({1, 1});
  follow_caret();
  ImGui::End();
  draw_notice();
}

// Brings the caret into the window after it moved, and a focused widget.
void Page::follow_caret() {
  const auto reveal = [&](const Box& box) {
    const float window = static_cast<float>(height_) / pixel_ratio_;
    const float over = 8 - box.y;
    const float under = box.y + box.height + 8 - window;
    if (over > 0) scroll_ += pixel_ratio_ * over;
    if (under > 0 && over < 0) scroll_ -= pixel_ratio_ * std::min(under, -over);
  };
  const EditorModel& editor = app_.editor();
  if (editor.selection().caret != followed_caret_ || editor.revision() != followed_revision_) {
    followed_caret_ = editor.selection().caret;
    followed_revision_ = editor.revision();
    reveal(edited().caret());
  }
  const auto found = ui_.boxes().find(reveal_);
  if (found != ui_.boxes().end()) reveal(found->second);
  reveal_.clear();
  const float top = ImGui::GetScrollY(), end = ImGui::GetScrollMaxY();
  scroll_ = std::clamp(scroll_, top - end, top);
}

std::string Page::state() const {
  nlohmann::json json;
  const EditorModel& editor = app_.editor();
  json["text"] = to_utf8(editor.text());
  json["anchor"] = editor.selection().anchor;
  json["caret"] = editor.selection().caret;
  json["composition"] = {editor.composition().begin, editor.composition().end};
  json["frames"] = panels_.frames;
  json["drawn"] = drawn_;
  json["attentionFrom"] = panels_.attention_from;
  json["attentionShown"] = !app_.attention().empty();
  json["notice"] = app_.notice_text();
  json["model"] = app_.settings().tabs.front().model;
  const Tab& tab = app_.tab();
  json["task"] = tab.link.task;
  for (size_t i = 0; i < tab.fields.size(); ++i)
    json["texts"][std::string(tab.link.texts[i])] = to_utf8(app_.field(i).text());
  json["marks"] = nlohmann::json::array();
  if (tab.marks)
    for (const Mark& mark : tab.marks(ui_, app_))
      json["marks"].push_back({mark.range.begin, mark.range.end});
  const Box caret = edited().caret();
  json["caretBox"] = {caret.x, caret.y, caret.width, caret.height};
  for (const auto& [name, box] : ui_.boxes())
    json["boxes"][name] = {box.x, box.y, box.width, box.height};
  return json.dump();
}

}  // namespace minibert::page
