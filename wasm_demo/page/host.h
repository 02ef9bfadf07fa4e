// What the page asks of the JavaScript around it (web/page_bridge.js, web/text_agent.js). Each call
// returns at once; answers come back through the exported functions of main.cpp.
#pragma once

#include <cstddef>
#include <string>

namespace minibert::page::host {

// Slots: 0 the chosen model, 1 the one it is compared with.
void select_model(int slot, const std::string& id);  // "" empties the slot
void text_changed(const std::string& text, double revision, bool at_once);
void want_attention(bool wanted);
void want_full_font();

void set_text_agent(const std::string& text, size_t anchor, size_t caret);
void place_text_agent(float x, float y, float height);  // CSS pixels of the canvas

void set_fragment(const std::string& fragment);
void copy_link();
void copy_text(const std::string& text);
void save_picture();               // of the canvas, as a file
void open_file(const char* name);  // of the page's folder, in a tab of its own
void set_top(int count);           // how many guesses are wanted
void set_look(const char* background, bool dark, bool korean);
void set_cursor(const char* css);
// Spoken by a screen reader, at once where `urgent`.
void announce(const std::string& text, bool urgent);
// Calls page_notice("{}") after a time in which the notice can be read.
void expire_notice(bool warning);
// The outline (outline.h) as JSON, where it differs from before.
void show_outline(const std::string& json);
// A preference of the user, for later visits.
void remember(const char* key, const char* value);
void request_frame();

}  // namespace minibert::page::host
