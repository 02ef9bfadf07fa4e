// Module.host is the object of functions that web/page_bridge.js gives the page's module.
#include "host/host.h"

#include <emscripten.h>

namespace minibert::page::host {
namespace {

// clang-format off
EM_JS(void, js_select_model, (const char* inquiry, const char* id), {
  Module.host.selectModel(UTF8ToString(inquiry), UTF8ToString(id));
});
EM_JS(void, js_ask, (const char* inquiry, const char* question, int at_once), {
  Module.host.ask(UTF8ToString(inquiry), UTF8ToString(question), !!at_once);
});
EM_JS(void, js_stop_download, (const char* id), { Module.host.stopDownload(UTF8ToString(id)); });
EM_JS(void, js_want_model, (const char* id), { Module.host.wantModel(UTF8ToString(id)); });
EM_JS(void, js_want_font, (), {
  Module.host.wantFont().then((came) => Module._page_font_ended(came ? 1 : 0));
});
EM_JS(void, js_edit, (const char* field, int begin, int end, const char* text), {
  Module.host.edit(UTF8ToString(field), begin, end, UTF8ToString(text));
});
EM_JS(void, js_undo, (), { Module.host.undo(); });
EM_JS(void, js_set_fragment, (const char* fragment), {
  Module.host.setFragment(UTF8ToString(fragment));
});
EM_JS(void, js_copy_link, (), { Module.host.copyLink(); });
EM_JS(void, js_show_code, (), { Module.host.showCode(); });
EM_JS(void, js_ask_word, (int mask), { Module.host.askWord(mask); });
EM_JS(void, js_ask_line, (const char* what, const char* now), {
  Module.host.askLine(UTF8ToString(what), UTF8ToString(now));
});
EM_JS(void, js_pick_file, (), { Module.host.pickFile(); });
EM_JS(void, js_copy_text, (const char* text), { Module.host.copyText(UTF8ToString(text)); });
EM_JS(void, js_save_picture, (), { Module.host.savePicture(); });
EM_JS(void, js_save_text, (const char* text), { Module.host.saveText(UTF8ToString(text)); });
EM_JS(void, js_open_file, (const char* name), { Module.host.openFile(UTF8ToString(name)); });
EM_JS(void, js_set_look, (const char* colors, int dark, int korean, const char* title), {
  Module.host.setLook(UTF8ToString(colors), !!dark, !!korean, UTF8ToString(title));
});
EM_JS(void, js_set_cursor, (const char* css), { Module.host.setCursor(UTF8ToString(css)); });
EM_JS(void, js_announce, (const char* text, int urgent), {
  Module.host.announce(UTF8ToString(text), !!urgent);
});
EM_JS(void, js_expire_notice, (int warning), { Module.host.expireNotice(!!warning); });
EM_JS(void, js_show_outline, (const char* json), { Module.host.showOutline(UTF8ToString(json)); });
EM_JS(void, js_remember, (const char* key, const char* value), {
  Module.host.remember(UTF8ToString(key), UTF8ToString(value));
});
EM_JS(void, js_request_frame, (), { Module.host.requestFrame(); });
EM_JS(void, js_complain, (const char* what), { console.error(UTF8ToString(what)); });
// clang-format on

}  // namespace

void select_model(std::string_view inquiry, const std::string& id) {
  js_select_model(std::string(inquiry).c_str(), id.c_str());
}
void ask(std::string_view inquiry, const std::string& question, bool at_once) {
  js_ask(std::string(inquiry).c_str(), question.c_str(), at_once);
}
void stop_download(const std::string& id) { js_stop_download(id.c_str()); }
void want_model(const std::string& id) { js_want_model(id.c_str()); }
void want_font() { js_want_font(); }
void edit(const char* field, uint32_t begin, uint32_t end, const std::string& text) {
  js_edit(field, static_cast<int>(begin), static_cast<int>(end), text.c_str());
}
void undo() { js_undo(); }
void set_fragment(const std::string& fragment) { js_set_fragment(fragment.c_str()); }
void copy_link() { js_copy_link(); }
void show_code() { js_show_code(); }
void ask_word(size_t mask) { js_ask_word(static_cast<int>(mask)); }
void ask_line(const char* what, const std::string& now) { js_ask_line(what, now.c_str()); }
void pick_file() { js_pick_file(); }
void copy_text(const std::string& text) { js_copy_text(text.c_str()); }
void save_picture() { js_save_picture(); }
void save_text(const std::string& text) { js_save_text(text.c_str()); }
void open_file(const char* name) { js_open_file(name); }
void set_look(const std::string& colors, bool dark, bool korean, std::string_view title) {
  js_set_look(colors.c_str(), dark, korean, std::string(title).c_str());
}
void set_cursor(const char* css) { js_set_cursor(css); }
void announce(const std::string& text, bool urgent) { js_announce(text.c_str(), urgent); }
void expire_notice(bool warning) { js_expire_notice(warning); }
void show_outline(const std::string& json) { js_show_outline(json.c_str()); }
void remember(const char* key, const char* value) { js_remember(key, value); }
void request_frame() { js_request_frame(); }
void complain(std::string_view what) { js_complain(std::string(what).c_str()); }

}  // namespace minibert::page::host
