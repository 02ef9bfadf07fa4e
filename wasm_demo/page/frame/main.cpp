// The functions that web/page_bridge.js calls. Strings are UTF-8, positions are UTF-16 units,
// coordinates are CSS pixels. Exceptions are off: a thrown error ends the module.
#include <emscripten.h>
#include <emscripten/html5.h>
#include <qrcodegen.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "core/utf8.h"
#include "frame/page.h"
#include "host/host.h"

namespace minibert::page {
namespace {

std::unique_ptr<Page> g_page;
std::string g_answer;

std::vector<uint8_t> take(uint8_t* data, int size) {
  std::vector<uint8_t> bytes(data, data + size);
  std::free(data);
  return bytes;
}

// See page_qr_code().
std::string qr_code(const std::string& text) {
  std::vector<uint8_t> code(qrcodegen_BUFFER_LEN_MAX), working(qrcodegen_BUFFER_LEN_MAX);
  if (!qrcodegen_encodeText(text.c_str(), working.data(), code.data(), qrcodegen_Ecc_LOW,
                            qrcodegen_VERSION_MIN, qrcodegen_VERSION_MAX, qrcodegen_Mask_AUTO,
                            true))
    return {};
  std::string rows;
  const int size = qrcodegen_getSize(code.data());
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) rows += qrcodegen_getModule(code.data(), x, y) ? '1' : '0';
    rows += '\n';
  }
  return rows;
}

void publish() {
  g_page->app().publish();
  g_page->wake();
}

}  // namespace
}  // namespace minibert::page

using namespace minibert::page;

extern "C" {

// Returns whether there is WebGL 2; without it the page lives in its outline alone. Takes ownership
// of `font` (malloc).
EMSCRIPTEN_KEEPALIVE int page_start(uint8_t* font, int font_size, const char* fragment, int korean,
                                    const char* theme) {
  // The one that web/main.js made, with its attributes.
  EmscriptenWebGLContextAttributes attributes;
  emscripten_webgl_init_context_attributes(&attributes);
  attributes.majorVersion = 2;
  attributes.enableExtensionsByDefault = false;  // each costs a wait for the GPU's process
  const EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context =
      emscripten_webgl_create_context("#canvas", &attributes);
  const bool has_context = context > 0;
  if (has_context) emscripten_webgl_make_context_current(context);
  g_page = std::make_unique<Page>(take(font, font_size), has_context);
  std::optional<Theme> chosen;
  if (*theme) chosen = theme == std::string_view("dark") ? Theme::dark : Theme::light;
  g_page->app().prefer(korean ? Language::korean : Language::english, chosen);
  g_page->open(fragment);
  return has_context;
}

EMSCRIPTEN_KEEPALIVE void page_open(const char* fragment) {
  g_page->open(fragment);
  publish();
}

EMSCRIPTEN_KEEPALIVE void page_add_font(uint8_t* font, int size) {
  g_page->add_font(take(font, size));
}

// The load that host::want_font() asked for: the font was added, or it failed.
EMSCRIPTEN_KEEPALIVE void page_font_ended(int came) { g_page->font_ended(came); }

EMSCRIPTEN_KEEPALIVE int page_frame(double seconds) { return g_page->frame(seconds); }

EMSCRIPTEN_KEEPALIVE void page_resize(int width, int height, float pixel_ratio) {
  g_page->resize(width, height, pixel_ratio);
}

EMSCRIPTEN_KEEPALIVE void page_context_restored() { g_page->context_restored(); }

// The system's look: Theme::dark or not, fingers or a mouse.
EMSCRIPTEN_KEEPALIVE void page_set_system(int dark, int touch) {
  g_page->set_system(dark ? Theme::dark : Theme::light, touch);
}

// colors: JSON {"card": "rrggbb", …} of the user's own (forced) colors, or "" for the page's.
EMSCRIPTEN_KEEPALIVE void page_force_colors(const char* colors) { g_page->force_colors(colors); }

// kind: "move", "down", "up", "leave", "cancel".
EMSCRIPTEN_KEEPALIVE void page_pointer(const char* kind, float x, float y, int touch, int shift,
                                       double seconds) {
  if (const auto known = find_named<PointerKind>(kPointerKindNames, kind))
    g_page->pointer(*known, x, y, touch, shift, seconds);
  else
    host::complain(std::string("unknown pointer event ") + kind);
}

EMSCRIPTEN_KEEPALIVE void page_wheel(float dy) { g_page->wheel(dy); }

// See App::command().
EMSCRIPTEN_KEEPALIVE void page_command(const char* name) {
  g_page->app().command(name);
  publish();
}

EMSCRIPTEN_KEEPALIVE int page_take_guess(int rank) {
  const bool taken = g_page->app().take_guess(static_cast<size_t>(rank));
  publish();
  return taken;
}

// How much of the window's height to go down, as Page Down does.
EMSCRIPTEN_KEEPALIVE void page_scroll_by(float windows) { g_page->scroll_by(windows); }

// From the outline's elements: see Ui::activate() and Ui::focus().
EMSCRIPTEN_KEEPALIVE void page_activate(const char* name, const char* value) {
  g_page->activate(name, value);
}
EMSCRIPTEN_KEEPALIVE void page_focus(const char* name, int ring) { g_page->focus(name, ring); }

// See App::sync().
EMSCRIPTEN_KEEPALIVE void page_sync(const char* field, int opened, const char* text, int begin,
                                    int end, int settled) {
  g_page->app().sync(field, opened, text, static_cast<uint32_t>(begin), static_cast<uint32_t>(end),
                     settled);
  publish();
}

// How high a field's text is in its element, in CSS pixels.
EMSCRIPTEN_KEEPALIVE void page_field_height(const char* field, float height) {
  g_page->field_height(field, height);
}

EMSCRIPTEN_KEEPALIVE void page_fill_mask(int mask, const char* text) {
  g_page->app().insert_guess(static_cast<size_t>(mask), text);
  publish();
}

// what: see host::ask_line()
EMSCRIPTEN_KEEPALIVE void page_line(const char* what, const char* text) {
  g_page->app().take_line(what, text);
  publish();
}

EMSCRIPTEN_KEEPALIVE void page_choose_model(const char* id) {
  g_page->app().choose_model(id);
  publish();
}

// See App::take_over().
EMSCRIPTEN_KEEPALIVE void page_take_over(const char* id) {
  g_page->app().take_over(id);
  publish();
}

EMSCRIPTEN_KEEPALIVE void page_models(const char* json) {
  if (auto models = read_models(json))
    g_page->app().set_models(std::move(*models));
  else
    host::complain(std::string("unknown form of models ") + json);
  publish();
}

// Takes a model's answer to an inquiry: see Message.
EMSCRIPTEN_KEEPALIVE void page_answer(const char* inquiry, const char* json) {
  if (const auto message = read_message(json))
    g_page->app().take(inquiry, *message);
  else
    host::complain(std::string("unknown form of an answer ") + json);
  g_page->wake();
}

// What a function of the engine left beside its JSON; copies `numbers` [count].
EMSCRIPTEN_KEEPALIVE void page_numbers(const char* json, const float* numbers, int count) {
  auto view = ExplainView::read(json, {numbers, static_cast<size_t>(count)});
  g_page->app().set_explanation(view ? std::move(*view) : ExplainView());
  g_page->wake();
}

// See Page::take_picture().
EMSCRIPTEN_KEEPALIVE float page_take_picture(int begins) { return g_page->take_picture(begins); }

EMSCRIPTEN_KEEPALIVE void page_source(const char* link) { g_page->app().set_source_link(link); }

// json: {"ko", "en"}
EMSCRIPTEN_KEEPALIVE void page_notice(const char* json, int warning) {
  if (auto text = read_bilingual(json)) g_page->app().notice(std::move(*text), warning);
  g_page->wake();
}

// The modules of the smallest QR code (ISO/IEC 18004, level L or better) that holds `text`: one line of '0' and
// '1' (dark) a row. Empty where no code can hold it (about 2,900 bytes).
EMSCRIPTEN_KEEPALIVE const char* page_qr_code(const char* text) {
  g_answer = qr_code(text);
  return g_answer.c_str();
}

EMSCRIPTEN_KEEPALIVE const char* page_state() {
  g_answer = g_page->state();
  return g_answer.c_str();
}

}  // extern "C"
