#include "core/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "core/error.h"
#include "core/utf8.h"

namespace minibert {
namespace {

void sync_path(const std::string& path, int flags) {
  const int fd = ::open(path.c_str(), flags);
  if (fd < 0) throw Error(path + ": cannot be opened: " + std::strerror(errno));
  const int failed = ::fsync(fd);
  const int why = errno;
  ::close(fd);
  if (failed != 0) throw Error(path + ": cannot be flushed to disk: " + std::strerror(why));
}

constexpr size_t kDeepestJson = 200;

// How deep lists and objects stand in each other at most.
size_t nesting(std::string_view json) {
  size_t depth = 0, deepest = 0;
  bool in_string = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

// Refuses a key that stands twice in one object, of which nlohmann would take the last.
class UniqueKeys {
 public:
  bool operator()(int, nlohmann::json::parse_event_t event, const nlohmann::json& parsed) {
    using Event = nlohmann::json::parse_event_t;
    if (event == Event::object_start) open_.emplace_back();
    if (event == Event::object_end) open_.pop_back();
    if (event == Event::key && !open_.back().insert(parsed.get<std::string>()).second)
      throw Error("not valid JSON: the key " + parsed.dump() + " stands twice in one object");
    return true;
  }

 private:
  std::vector<std::set<std::string>> open_;
};

nlohmann::json parse(std::string_view text,
                     const nlohmann::json::parser_callback_t& callback = nullptr) {
  if (nesting(text) > kDeepestJson)
    throw Error("not valid JSON: nested deeper than " + std::to_string(kDeepestJson) + " levels");
  try {
    return nlohmann::json::parse(text, callback);
  } catch (const nlohmann::json::exception& error) {
    // nlohmann's text reads "[json.exception.parse_error.101] parse error at line 3, column 5: …".
    const std::string what = error.what();
    throw Error("not valid JSON: " + what.substr(what.find("] ") + 2));
  }
}

}  // namespace

std::string read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw Error(path + ": is a folder, not a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(path + ": cannot be read: " + std::strerror(errno));
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return std::move(bytes).str();
}

nlohmann::json parse_json(std::string_view text) { return parse(text); }

nlohmann::json read_json(const std::string& path) {
  const std::string text = read_file(path);
  if (const size_t bad = first_invalid_utf8(text); bad != kValid)
    throw usage_error(path + ": not valid UTF-8 at byte " + std::to_string(bad));
  try {
    return parse(text, UniqueKeys());
  } catch (const Error& error) {
    throw usage_error(path + ": " + error.what());
  }
}

void replace_file(const std::string& path, const std::function<void(const std::string&)>& write) {
  namespace fs = std::filesystem;
  const fs::path target(path);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error(folder.string() + ": cannot be created: " + error.message());
  if (fs::exists(target, error) && !fs::is_regular_file(target, error))
    throw Error(path + ": is no file, so it is not replaced");
  const std::string temporary = path + ".tmp";
  fs::remove(temporary, error);  // left by a killed program, or a link to somewhere else
  try {
    write(temporary);
    sync_path(temporary, O_RDONLY);
    fs::rename(temporary, path, error);
    if (error) throw Error(path + ": cannot be replaced: " + error.message());
    sync_path(folder.string(), O_RDONLY | O_DIRECTORY);
  } catch (...) {
    fs::remove(temporary, error);
    throw;
  }
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  replace_file(path, [&](const std::string& temporary) {
    std::ofstream out(temporary, std::ios::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) throw Error(temporary + ": cannot be written: " + std::strerror(errno));
  });
}

void replace_shared_file(const std::string& path,
                         const std::function<void(const std::string&)>& write) {
  const std::string own = path + "." + std::to_string(::getpid());
  replace_file(own, write);
  std::error_code error;
  std::filesystem::rename(own, path, error);
  if (error) throw Error(path + ": cannot be replaced: " + error.message());
}

}  // namespace minibert
