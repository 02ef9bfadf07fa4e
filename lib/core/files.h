// Reads files whole, writes them atomically, and parses JSON with errors that name the file.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace minibert {

// Throws Error naming the path and the reason.
std::string read_file(const std::string& path);

// Parses JSON text that may be damaged or hostile. Throws Error "not valid JSON: …", also for deep
// nesting (nlohmann's own calls recurse) and numbers out of range. The caller adds the file's name.
nlohmann::json parse_json(std::string_view text);

// Parses a UTF-8 JSON file. Throws Error if the file is missing, not UTF-8 (byte offset) or not
// JSON (line, column).
nlohmann::json read_json(const std::string& path);

// Calls write(temporary path beside `path`), then fsyncs the temporary file and renames it to
// `path`: `path` holds a complete file at every moment. On an error the old file stays and the
// temporary file is removed. The new file gets the old one's mode. Throws Error if `path` exists
// and is not a file.
void replace_file(const std::string& path, const std::function<void(const std::string&)>& write);
// Both throw Error if not all bytes were written.
void write_file(const std::string& path, std::string_view bytes);
void write_file_atomically(const std::string& path, std::string_view bytes);
// Calls replace_file() for a file that several programs may write at once with the same content.
// Each program writes `path`.<machine>.<process>.tmp and removes temporary files that killed
// programs left in the folder.
void replace_shared_file(const std::string& path,
                         const std::function<void(const std::string&)>& write);

// Calls replace_file() for a file in a user's folder: the temporary file gets a name that no file
// there has, so that a user's own `path`.tmp stays.
void replace_users_file(const std::string& path,
                        const std::function<void(const std::string&)>& write);

// Returns the end of the file's name from its last dot, with A to Z in lower case: ".csv" for
// "a/B.CSV". Returns "" if the name has no extension.
std::string extension_of(const std::string& path);

// Returns true if files can be created in the folder, or in its nearest existing parent. A folder
// without any write permission counts as closed for root, too.
bool is_writable_folder(const std::string& path);

}  // namespace minibert
