// What the page asks of the JavaScript around it (web/page_bridge.js, web/fields.js). Each call
// returns at once; answers come back through the exported functions of main.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace minibert::page::host {

// The model that answers an inquiry (state/tab.h); "" none.
void select_model(std::string_view inquiry, const std::string& id);
// question: JSON {"revision", "rounds"} as web/guesser.js has it, or "null". Answers come to page_answer() and
// page_numbers(). at_once: without waiting until the fields are still.
void ask(std::string_view inquiry, const std::string& question, bool at_once);
void stop_download(const std::string& id);  // of a model
void want_font();                           // the next of our own font files

// Puts `text` in the place of [begin, end) of a field's text, in UTF-16 units, once the current call has returned.
void edit(const char* field, uint32_t begin, uint32_t end, const std::string& text);
void undo();  // the last edit of the field that is edited

void set_fragment(const std::string& fragment);
void copy_link();
void show_code();            // the link as a QR code
void ask_word(size_t mask);  // a word of the user's for a mask, to score
// A line of the user's for the explanation, which is `now`; it comes to page_line(). what: "other", a text to take
// states from, or "word", to follow.
void ask_line(const char* what, const std::string& now);
void pick_file();  // a model
void copy_text(const std::string& text);
void save_picture();               // of the canvas, as a file
void open_file(const char* name);  // of the page's folder, or a whole address, in a tab of its own
// colors: JSON {"page": "#rrggbb", …}, which the HTML beside the canvas takes over; title: of the task.
void set_look(const std::string& colors, bool dark, bool korean, std::string_view title);
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
// In the console: JavaScript called this page with something that is none of the agreed names or forms.
void complain(std::string_view what);

}  // namespace minibert::page::host
