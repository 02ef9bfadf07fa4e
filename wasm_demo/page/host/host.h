// The page's calls to the JavaScript around it (web/page_bridge.js, web/fields.js). Each returns at
// once; answers come back through the exported functions of main.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace minibert::page::host {

// Sets the model that answers an inquiry (state/tab.h); "": none.
void select_model(std::string_view inquiry, const std::string& id);
// question: JSON {"revision", "rounds"} (web/guesser.js), or "null". Answers come to page_answer()
// and page_numbers(). at_once: without waiting until typing pauses.
void ask(std::string_view inquiry, const std::string& question, bool at_once);
void stop_download(const std::string& id);  // of a model
// Loads a model that nobody chose, where connection and memory allow it, and calls page_take_over().
void want_model(const std::string& id);
void want_font();  // loads the next of our own font files

// Replaces [begin, end) of a field's text (UTF-16 units) by `text` after this call has returned.
void edit(const char* field, uint32_t begin, uint32_t end, const std::string& text);
void undo();  // the last edit of the field being edited

void set_fragment(const std::string& fragment);
void copy_link();
void show_code();            // the link as a QR code
void ask_word(size_t mask);  // a word of the user's for a mask, to score
// A line of the user's, which is `now`; it comes to page_line(). what: "other", a text to take vectors from, or "guess",
// a pupil's own for the first mask.
void ask_line(const char* what, const std::string& now);
void pick_file();  // asks for a model file, or lessons
void copy_text(const std::string& text);
void save_picture();                      // of the canvas, as a file
void save_text(const std::string& text);  // as a file
void open_file(const char* name);         // in the page's folder, or a whole address, in a new tab
// colors: JSON {"page": "#rrggbb", …} for the HTML beside the canvas; title: the task's.
void set_look(const std::string& colors, bool dark, bool korean, std::string_view title);
void set_cursor(const char* css);
// Makes a screen reader speak; `urgent`: at once.
void announce(const std::string& text, bool urgent);
// Calls page_notice("{}") after enough time to read the notice.
void expire_notice(bool warning);
// Sends the outline (outline.h) as JSON if it has changed.
void show_outline(const std::string& json);
// Stores a user's preference for later visits.
void remember(const char* key, const char* value);
void request_frame();
// Reports to the console that JavaScript called this page with an unknown name or form.
void complain(std::string_view what);

}  // namespace minibert::page::host
