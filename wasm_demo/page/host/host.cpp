// Module.host is the object of functions that web/page_bridge.js gives to the page's module.
#include "host/host.h"

#include <emscripten.h>

namespace minibert::page::host {
namespace {

// clang-format off
EM_JS(void, js_select_model, (int slot, const char* id), {
  Module.host.selectModel(slot, UTF8ToString(id));
});
EM_JS(void, js_text_changed, (const char* text, double revision, int at_once), {
  Module.host.textChanged(UTF8ToString(text), revision, !!at_once);
});
EM_JS(void, js_question_changed,
      (const char* question, const char* text, double revision, int at_once), {
  Module.host.questionChanged(UTF8ToString(question), UTF8ToString(text), revision, !!at_once);
});
EM_JS(void, js_task_text_changed, (int slot, const char* text, double revision, int at_once), {
  Module.host.taskTextChanged(slot, UTF8ToString(text), revision, !!at_once);
});
EM_JS(void, js_leave_out, (), { Module.host.leaveOut(); });
EM_JS(void, js_want_view, (const char* name), { Module.host.wantView(UTF8ToString(name)); });
EM_JS(void, js_want_full_font, (), {
  Module.host.wantFullFont().finally(() => Module._page_full_font_ended());
});
EM_JS(void, js_set_text_agent, (const char* text, int anchor, int caret), {
  Module.host.setTextAgent(UTF8ToString(text), anchor, caret);
});
EM_JS(void, js_place_text_agent, (float x, float y, float height), {
  Module.host.placeTextAgent(x, y, height);
});
EM_JS(void, js_set_fragment, (const char* fragment), {
  Module.host.setFragment(UTF8ToString(fragment));
});
EM_JS(void, js_copy_link, (), { Module.host.copyLink(); });
EM_JS(void, js_show_code, (), { Module.host.showCode(); });
EM_JS(void, js_ask_word, (int mask), { Module.host.askWord(mask); });
EM_JS(void, js_paste_text, (), { Module.host.pasteText(); });
EM_JS(void, js_pick_file, (), { Module.host.pickFile(); });
EM_JS(void, js_copy_text, (const char* text), { Module.host.copyText(UTF8ToString(text)); });
EM_JS(void, js_save_picture, (), { Module.host.savePicture(); });
EM_JS(void, js_open_file, (const char* name), { Module.host.openFile(UTF8ToString(name)); });
EM_JS(void, js_set_guessing, (int top, int words), { Module.host.setGuessing(top, !!words); });
EM_JS(void, js_set_look, (const char* background, int dark, int korean), {
  Module.host.setLook(UTF8ToString(background), !!dark, !!korean);
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
// clang-format on

}  // namespace

void select_model(int slot, const std::string& id) { js_select_model(slot, id.c_str()); }
void text_changed(const std::string& text, double revision, bool at_once) {
  js_text_changed(text.c_str(), revision, at_once);
}
void question_changed(const std::string& question, const std::string& text, double revision,
                      bool at_once) {
  js_question_changed(question.c_str(), text.c_str(), revision, at_once);
}
void task_text_changed(int slot, const std::string& text, double revision, bool at_once) {
  js_task_text_changed(slot, text.c_str(), revision, at_once);
}
void leave_out() { js_leave_out(); }
void want_view(const std::string& name) { js_want_view(name.c_str()); }
void want_full_font() { js_want_full_font(); }
void set_text_agent(const std::string& text, size_t anchor, size_t caret) {
  js_set_text_agent(text.c_str(), static_cast<int>(anchor), static_cast<int>(caret));
}
void place_text_agent(float x, float y, float height) { js_place_text_agent(x, y, height); }
void set_fragment(const std::string& fragment) { js_set_fragment(fragment.c_str()); }
void copy_link() { js_copy_link(); }
void show_code() { js_show_code(); }
void ask_word(size_t mask) { js_ask_word(static_cast<int>(mask)); }
void paste_text() { js_paste_text(); }
void pick_file() { js_pick_file(); }
void copy_text(const std::string& text) { js_copy_text(text.c_str()); }
void save_picture() { js_save_picture(); }
void open_file(const char* name) { js_open_file(name); }
void set_guessing(int top, bool words) { js_set_guessing(top, words); }
void set_look(const char* background, bool dark, bool korean) {
  js_set_look(background, dark, korean);
}
void set_cursor(const char* css) { js_set_cursor(css); }
void announce(const std::string& text, bool urgent) { js_announce(text.c_str(), urgent); }
void expire_notice(bool warning) { js_expire_notice(warning); }
void show_outline(const std::string& json) { js_show_outline(json.c_str()); }
void remember(const char* key, const char* value) { js_remember(key, value); }
void request_frame() { js_request_frame(); }

}  // namespace minibert::page::host
