// Frames and arrangement.
#include "frame/page.h"

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
constexpr float kMargin = 14;        // wider than ImGui's scroll bar, which lies in it
constexpr float kNarrowMargin = 12;  // the same on a phone
constexpr float kMaxWidth = 1480;
constexpr float kTwoColumns = 940;
constexpr float kCompact = 600;
constexpr float kShownOfResult = 240;  // of a result that was asked for, at least
constexpr float kShownOfStep = 500;    // the same of a step of the explanation
constexpr float kAbove = 70;           // what stands above what a link asks about
constexpr float kDragThreshold = 8;
constexpr float kLessonZoom = 1.35f;
constexpr float kLessonWindow = 900;  // CSS pixels; on a smaller one there is no room for it
constexpr float kLargeZoom = 1.2f, kLargeLessonZoom = 1.6f;
constexpr float kLargeWidth = 1700,
                kLargeHeight = 800;   // of a window that has room for more, CSS pixels
constexpr double kAskFontAgain = 30;  // seconds after a load that failed

const char* css_cursor(ImGuiMouseCursor cursor) {
  if (cursor == ImGuiMouseCursor_Hand) return "pointer";
  return "default";
}

}  // namespace

Page::Page(std::vector<uint8_t> first_font, bool has_context)
    : renderer_(has_context), glyphs_(&renderer_), ui_(&glyphs_) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
  glyphs_.add_font(std::move(first_font));
}

void Page::open(std::string_view fragment) {
  app_.open(fragment);
  const ExplainState& state = app_.settings().explain;
  asked_.clear();
  if (app_.view() == View::training) asked_ = "details";
  if (app_.view() == View::explain && state.part > 0)
    asked_ = state.change.changes() ? "switch-1" : "steps";
}

void Page::add_font(std::vector<uint8_t> file) {
  glyphs_.add_font(std::move(file));
  wake();
}

void Page::font_ended(bool came) { ask_font_at_ = came ? 0 : last_seconds_ + kAskFontAgain; }

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
                    .outline = text,
                    .kinds = {text, text, text, text, text, text}};
}

void Page::pointer(PointerKind kind, float x, float y, bool touch, bool shift, double seconds) {
  if (kind == PointerKind::down) asked_.clear();
  ImGui::GetIO().KeyShift = shift;
  pointer_.push(kind, x * pixel_ratio_, y * pixel_ratio_, touch, seconds);
  wake();
}

void Page::wheel(float dy) {
  asked_.clear();
  scroll_ -= dy * pixel_ratio_;
  wake();
}

void Page::field_height(const std::string& field, float pixels) {
  field_heights_[field] = pixels;
  wake();
}

void Page::scroll_by(float windows) {
  scroll_ -= windows * static_cast<float>(height_);
  wake();
}

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
  focused_ = name;
  ui_.focus(ring ? name : "");
  if (ring) reveal_ = std::move(name);
  wake();
}

void Page::wake() {
  due_ = kSettlingFrames;
  host::request_frame();
}

float Page::zoom() const {
  const float width = static_cast<float>(width_) / pixel_ratio_;
  const bool lesson = app_.settings().lesson;
  if (width >= kLargeWidth && static_cast<float>(height_) >= kLargeHeight * pixel_ratio_)
    return lesson ? kLargeLessonZoom : kLargeZoom;
  return lesson && width >= kLessonWindow ? kLessonZoom : 1;
}

bool Page::frame(double seconds) {
  const float ratio = pixel_ratio_ * zoom();
  if (font_ratio_ != ratio || glyphs_.overflowed()) {
    glyphs_.rebuild(ratio);
    font_ratio_ = ratio;
    due_ = kSettlingFrames;
  }
  // The next frames show the effect of a press in this one.
  if (pointer_.pending() || ui_.has_activations()) due_ = kSettlingFrames;
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
  io.DeltaTime = std::max(1e-4f, static_cast<float>(seconds - last_seconds_));
  last_seconds_ = seconds;
  io.FontDefault = glyphs_.font(TextSize::body);
  scroll_ += pointer_.apply(io, kDragThreshold * pixel_ratio_);
  const Palette& own = palette(app_.theme());
  const bool compact = static_cast<float>(width_) < kCompact * ratio;
  ui_.begin_frame({pixel_ratio_, zoom(), forced_ ? &*forced_ : &own, app_.settings().language,
                   touch_, compact, picture_});
  ImGui::NewFrame();
  draw();
  ui_.draw_focus_ring();
  ImGui::Render();
  ++frames_;
  if (renderer_.draw(*ImGui::GetDrawData(), width_, height_, ui_.colors().page)) ++drawn_;

  if (picture_) return false;  // nothing was pressed, and the page around it stays as it is
  const uint64_t revision = app_.editor().revision();
  const Settings before = app_.settings();
  app_.publish();
  report_look();
  if (glyphs_.wants_font() && seconds >= ask_font_at_ && renderer_.has_context()) {
    ask_font_at_ = std::numeric_limits<double>::infinity();
    host::want_font();
  }
  if (pointer_.pending() || glyphs_.overflowed() || revision != app_.editor().revision() ||
      before != app_.settings() || scroll_ != 0 || ui_.has_activations())
    due_ = std::max(due_, 2);
  return --due_ > 0;
}

void Page::report_look() {
  const Settings& settings = app_.settings();
  const std::string cursor = css_cursor(ImGui::GetMouseCursor());
  if (cursor != cursor_) host::set_cursor((cursor_ = cursor).c_str());
  const bool korean = settings.language == Language::korean;
  const Palette& colors = ui_.colors();
  const bool dark = contrast(colors.page, 0xFF000000u) < contrast(colors.page, ~0u);
  nlohmann::json named;
  for (const auto& [name, color] :
       std::initializer_list<std::pair<const char*, Color>>{{"page", colors.page},
                                                            {"card", colors.card},
                                                            {"border", colors.border},
                                                            {"text", colors.text},
                                                            {"muted", colors.muted},
                                                            {"accent", colors.accent},
                                                            {"on-accent", colors.on_accent},
                                                            {"soft", colors.soft},
                                                            {"button", colors.button},
                                                            {"outline", colors.outline},
                                                            {"focus", colors.focus}})
    named[name] = css_color(color);
  const std::string json = named.dump();
  const std::string_view title = ui_.word(app_.tab().title);
  const std::string look = json + (korean ? "k" : "e") + (dark ? "d" : "l") + std::string(title);
  if (look != look_) {
    look_ = look;
    host::set_look(json, dark, korean, title);
  }
  if (ui_.outline().nodes() != outline_) {
    outline_ = ui_.outline().nodes();
    host::show_outline(ui_.outline().json());
  }
}

void Page::draw() {
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::Begin("page", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse |
                   (touch_ ? ImGuiWindowFlags_NoScrollbar : ImGuiWindowFlags_None));
  if (shown_view_ != app_.view()) {  // a place begins at its top, and the tab is where it was left
    if (shown_view_ == View::sentence) left_at_ = ImGui::GetScrollY();
    ImGui::SetScrollY(app_.view() == View::sentence ? left_at_ : 0);
    shown_view_ = app_.view();
  }
  if (scroll_before_picture_ && !picture_) {
    ImGui::SetScrollY(*scroll_before_picture_);
    scroll_before_picture_.reset();
  }
  const float limit = ImGui::GetScrollMaxY();
  if (scroll_ != 0) ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() - scroll_, 0.0f, limit));
  scroll_ = 0;

  const float margin = ui_.px(ui_.compact() ? kNarrowMargin : kMargin);
  const float available = static_cast<float>(width_) - 2 * margin;
  const float width = std::floor(std::min(available, ui_.px(kMaxWidth)));
  const float left = std::floor((static_cast<float>(width_) - width) / 2);
  ImGui::SetCursorPos({left, margin});
  const bool two = width >= ui_.px(kTwoColumns);
  const bool folds = renderer_.has_context() && (!two || app_.settings().lesson);
  draw_header(ui_, app_, panels_, width, folds);

  const float gap = ui_.px(12);
  const float main = two ? std::floor((width - gap) * 0.54f) : width;
  if (app_.view() != View::sentence) {
    draw_place(width);
  } else {
    // Of a tab with masks the sentence is as wide as the page, what else there is stands side by side below it.
    const bool masks = app_.tab().masks;
    ImVec2 top = ImGui::GetCursorPos();
    draw_tab(masks ? width : main, two, folds);
    if (masks && two) top = ImGui::GetCursorPos();
    if (masks) app_.tab().draw(ui_, app_, main);
    float bottom = ImGui::GetCursorPosY();
    if (two) ImGui::SetCursorPos({left + main + gap, top.y});
    if (two && !masks) app_.tab().draw(ui_, app_, width - main - gap);
    if (masks) draw_more(two ? width - main - gap : width, folds);
    bottom = std::max(bottom, ImGui::GetCursorPosY());
    ImGui::SetCursorPos({left, bottom});
  }
  ui_.begin_card("about", ui_.word(Word::about_page), width, Frame::none);
  draw_about(ui_, app_);
  ui_.end_card();
  ImGui::Dummy({1, 1});
  content_height_ = ImGui::GetCursorPosY();
  if (!picture_) follow();
  ImGui::End();
  if (!picture_) draw_notice();
}

// Scrolls into the window what moved: the edited field with the best guesses below it, a focused
// widget, a requested result.
void Page::follow() {
  const float window = static_cast<float>(height_) / pixel_ratio_;
  const auto reveal = [&](const Box& box) {
    const float over = 8 - box.y;
    const float under = box.y + box.height + 8 - window;
    if (over > 0) scroll_ += pixel_ratio_ * over;
    if (under > 0 && over < 0) scroll_ -= pixel_ratio_ * std::min(under, -over);
  };
  const auto& boxes = ui_.boxes();
  const FieldText& editor = app_.editor();
  if (editor.selection() != followed_selection_ || editor.revision() != followed_revision_ ||
      (height_ != followed_height_ && focused_ == app_.tab().fields[app_.edited()].look.name)) {
    followed_selection_ = editor.selection();
    followed_revision_ = editor.revision();
    followed_height_ = height_;
    Box box = boxes.at("editor");
    const auto best = boxes.find("best-0");
    if (best != boxes.end()) {
      const float height = best->second.y + best->second.height - box.y;
      if (height > box.height && height < window - 16) box.height = height;
    }
    reveal(box);
  }
  const auto found = boxes.find(reveal_);
  if (found != boxes.end()) reveal(found->second);
  reveal_.clear();
  if (panels_.to_step) asked_ = "steps";
  panels_.to_step = false;
  if (const auto asked = boxes.find(asked_); asked != boxes.end() && app_.current()) {
    const Box& box = asked->second;
    const float most = asked_ == "steps" ? kShownOfStep : kShownOfResult;
    const bool seen = box.y >= 0 && box.y + most <= window;
    if (seen || std::abs(box.y - kAbove) < 2)
      asked_.clear();
    else
      scroll_ = pixel_ratio_ * (kAbove - box.y);
  }
  const auto result = boxes.find(app_.tab().result);
  if (app_.settings().lesson && app_.shows_guesses() && !shown_ && result != boxes.end()) {
    Box box = result->second;
    box.height = std::min(box.height, kShownOfResult * zoom());
    // Not beyond the text that it is about.
    const auto card = boxes.find(app_.tab().card);
    const float most = card != boxes.end() ? std::max(0.0f, card->second.y - 8) : 0;
    const float under = box.y + box.height + 8 - window;
    if (under > 0) scroll_ -= pixel_ratio_ * std::min(under, most);
  }
  shown_ = app_.shows_guesses();
  if (const Range here = marked(); here != followed_mark_) {
    followed_mark_ = here;
    const auto field = boxes.find(app_.tab().fields.front().look.name);
    if (!here.empty() && app_.chose() && field != boxes.end()) reveal(field->second);
  }
  const float top = ImGui::GetScrollY(), end = ImGui::GetScrollMaxY();
  scroll_ = std::clamp(scroll_, top - end, top);
  top_ = top;
}

// The part of the first field that is looked at.
Range Page::marked() const {
  if (!app_.tab().marks) return {};
  for (const Mark& mark : app_.tab().marks(ui_, app_))
    if (mark.here) return mark.range;
  return {};
}

float Page::take_picture(bool begins) {
  if (begins && !picture_) scroll_before_picture_ = top_;
  picture_ = begins;
  wake();
  return content_height_;
}

std::string Page::state() const {
  nlohmann::json json;
  const FieldText& editor = app_.editor();
  json["text"] = to_utf8(editor.text());
  json["selection"] = {editor.selection().begin, editor.selection().end};
  json["frames"] = frames_;
  json["drawn"] = drawn_;
  json["notice"] = app_.notice_text();
  json["model"] = app_.model_id(0);
  const Tab& tab = app_.tab();
  json["task"] = tab.link.task;
  for (size_t i = 0; i < tab.fields.size(); ++i)
    json["texts"][std::string(tab.link.texts[i])] = to_utf8(app_.field(i).text());
  json["marks"] = nlohmann::json::array();
  if (tab.marks)
    for (const Mark& mark : tab.marks(ui_, app_))
      json["marks"].push_back({mark.range.begin, mark.range.end});
  for (const auto& [name, box] : ui_.boxes())
    json["boxes"][name] = {box.x, box.y, box.width, box.height};
  return json.dump();
}

}  // namespace minibert::page
