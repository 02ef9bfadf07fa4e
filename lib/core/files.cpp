#include "core/files.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <vector>

#include "core/error.h"
#include "core/excerpt.h"
#include "core/sha256.h"
#include "core/text.h"
#include "core/utf8.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

void sync_path(const std::string& path, int flags) {
  const int fd = ::open(path.c_str(), flags);
  if (fd < 0) throw system_error(path + ": cannot be opened");
  const int failed = ::fsync(fd);
  const int why = errno;
  ::close(fd);
  if (failed != 0) throw system_error(path + ": cannot be flushed to disk", why);
}

constexpr size_t kFirstPart = 65536;  // bytes of a file, read at once
constexpr size_t kDeepestJson = 200;

// The deepest nesting of lists and objects.
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

// Refuses a key that stands twice in one object; nlohmann would keep the last value.
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

// A parse error quotes the last text read, which may be the whole file.
constexpr size_t kQuotedProblem = 200;

nlohmann::json parse(std::string_view text,
                     const nlohmann::json::parser_callback_t& callback = nullptr) {
  if (nesting(text) > kDeepestJson)
    throw Error("not valid JSON: nested deeper than " + std::to_string(kDeepestJson) + " levels");
  try {
    return nlohmann::json::parse(text, callback);
  } catch (const nlohmann::json::exception& error) {
    // nlohmann's text reads "[json.exception.parse_error.101] parse error at line 3, column 5: …".
    const std::string what = error.what();
    throw Error("not valid JSON: " + excerpt(what.substr(what.find("] ") + 2), kQuotedProblem));
  }
}

constexpr auto kOrphanAge = std::chrono::hours(1);

// Tells this machine from others with processes of the same numbers, as containers have them.
std::string host_mark() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return sha256_hex(name).substr(0, 8);
}

// Removes the shared files' temporaries of killed programs: "<name>.<process>.tmp" of no living
// process here, untouched for an hour (the folder may be another machine's, too).
void remove_orphans(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".tmp") continue;
    const std::string pid = entry.path().stem().extension().string();
    if (pid.size() < 2 || pid.size() > 10 ||
        pid.find_first_not_of("0123456789", 1) != std::string::npos)
      continue;
    const bool alive =
        ::kill(static_cast<pid_t>(std::stol(pid.substr(1))), 0) == 0 || errno == EPERM;
    const auto touched = entry.last_write_time(error);
    if (!alive && !error && fs::file_time_type::clock::now() - touched > kOrphanAge)
      fs::remove(entry.path(), error);
  }
}

fs::path folder_of(const std::string& path) {
  const fs::path target(path);
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

void replace(const std::string& path, const std::string& temporary,
             const std::function<void(const std::string&)>& write) {
  const fs::path folder = folder_of(path);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error(folder.string() + ": cannot be created: " + error.message());
  const fs::file_status there = fs::status(path, error);
  if (fs::exists(there) && !fs::is_regular_file(there))
    throw Error(path + ": is not a file, so it is not replaced");
  fs::remove(temporary, error);  // left by a killed program, or a link to somewhere else
  try {
    write(temporary);
    sync_path(temporary, O_RDONLY);
    // Whom its owner lets read or change the file is no matter of its content.
    if (fs::exists(there)) fs::permissions(temporary, there.permissions(), error);
    fs::rename(temporary, path, error);
    if (error) throw Error(path + ": cannot be replaced: " + error.message());
    sync_path(folder.string(), O_RDONLY | O_DIRECTORY);
  } catch (...) {
    fs::remove(temporary, error);
    throw;
  }
}

}  // namespace

std::string read_file(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw Error(path + ": is a folder, not a file");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) throw system_error(path + ": cannot be read");
  std::string bytes;
  for (size_t part = kFirstPart; !std::feof(file.get()); part *= 2) {
    const size_t had = bytes.size();
    bytes.resize(had + part);
    bytes.resize(had + std::fread(bytes.data() + had, 1, part, file.get()));
    if (std::ferror(file.get())) throw system_error(path + ": cannot be read");
  }
  return bytes;
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
  replace(path, path + ".tmp", write);
}

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw system_error(path + ": cannot be written");
}

void write_file_atomically(const std::string& path, std::string_view bytes) {
  replace_file(path, [&](const std::string& temporary) { write_file(temporary, bytes); });
}

void replace_shared_file(const std::string& path,
                         const std::function<void(const std::string&)>& write) {
  remove_orphans(folder_of(path));
  replace(path, path + "." + host_mark() + "." + std::to_string(::getpid()) + ".tmp", write);
}

void replace_users_file(const std::string& path,
                        const std::function<void(const std::string&)>& write) {
  const std::string ending = "." + std::to_string(::getpid()) + ".tmp";
  std::string temporary = path + ending;
  std::error_code error;
  for (int i = 1; fs::exists(fs::symlink_status(temporary, error)); ++i)
    temporary = path + "." + std::to_string(i) + ending;
  replace(path, temporary, write);
}

std::string extension_of(const std::string& path) {
  return small_letters(fs::path(path).extension().string());
}

bool is_writable_folder(const std::string& path) {
  fs::path folder = fs::absolute(path);
  std::error_code error;
  while (!fs::exists(folder, error) && folder != folder.parent_path())
    folder = folder.parent_path();
  struct stat info;
  return ::stat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) &&
         (info.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) != 0 &&
         ::access(folder.c_str(), W_OK | X_OK) == 0;
}

}  // namespace minibert
