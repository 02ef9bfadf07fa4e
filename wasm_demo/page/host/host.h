// What the page asks of the JavaScript around it (web/page_bridge.js, web/text_agent.js). Each call
// returns at once; answers come back through the exported functions of main.cpp.
#pragma once

#include <cstddef>
#include <string>

namespace minibert::page::host {

// Slots: 0 the chosen model, 1 the one it is compared with, 2 the one that answers questions, 3 the one that
// labels texts, 4 the one that marks names.
void select_model(int slot, const std::string& id);  // "" empties the slot
void text_changed(const std::string& text, double revision, bool at_once);
void question_changed(const std::string& question, const std::string& text, double revision,
                      bool at_once);
// Of slot 3 or 4.
void task_text_changed(int slot, const std::string& text, double revision, bool at_once);
// Asks the question again without each of its words: page_left_out() gets what comes of it.
void leave_out();
// Attention or an explanation is wanted only while it is shown.
void want_view(const std::string& name);
void want_full_font();

void set_text_agent(const std::string& text, size_t anchor, size_t caret);
void place_text_agent(float x, float y, float height);  // CSS pixels of the canvas

void set_fragment(const std::string& fragment);
void copy_link();
void show_code();            // the link as a QR code
void ask_word(size_t mask);  // a word of the user's for a mask, to score
void paste_text();
void pick_file();  // a model
void copy_text(const std::string& text);
void save_picture();               // of the canvas, as a file
void open_file(const char* name);  // of the page's folder, or a whole address, in a tab of its own
void set_guessing(int top, bool words);  // how many guesses are wanted, and of what
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
