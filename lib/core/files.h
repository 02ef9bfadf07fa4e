// Reads and atomically writes whole files, and JSON with errors that name the file.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace minibert {

// Throws Error naming the path and the reason.
std::string read_file(const std::string& path);

// Parses JSON text that may be damaged or hostile: throws Error "not valid JSON: …", also for
// values nested deeper than any file of ours (nlohmann's own calls on them recurse) and numbers out
// of range. The caller adds the file's name.
nlohmann::json parse_json(std::string_view text);

// Parses a UTF-8 JSON file. Errors: missing file, not UTF-8 (byte offset), not JSON (line, column).
nlohmann::json read_json(const std::string& path);

// Calls write(temporary path beside `path`), then fsyncs and renames it over `path`, so that `path`
// holds a complete file at every instant. On an error the old file stays and the temporary is
// removed. The new file has the old one's mode. Throws Error where `path` is no file (a folder, a device, a pipe).
void replace_file(const std::string& path, const std::function<void(const std::string&)>& write);
// Both throw Error where not all of it was written.
void write_file(const std::string& path, std::string_view bytes);
void write_file_atomically(const std::string& path, std::string_view bytes);
// replace_file for a file that several programs may make at once, all with the same content. Each
// writes under a name of its own, `path`.<machine>.<process>.tmp, and removes what killed programs left in
// the folder.
void replace_shared_file(const std::string& path,
                         const std::function<void(const std::string&)>& write);

// replace_file for a file among others of a user: writes under a name that no file there has, so that a `path`.tmp
// of the user's stays.
void replace_users_file(const std::string& path,
                        const std::function<void(const std::string&)>& write);

// Returns what a file's name ends with, from its last dot on and in small letters (A to Z): ".csv" of "a/B.CSV". Empty
// where there is no such ending.
std::string extension_of(const std::string& path);

// Tells whether files can be made in the folder, or in the nearest existing one above it. A folder
// that its owner has closed counts as closed for root, too.
bool is_writable_folder(const std::string& path);

}  // namespace minibert
