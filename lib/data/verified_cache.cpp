// A JSON file {relative path: {"bytes", "mtime_ns", "sha256"}}.
#include "data/verified_cache.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "data/registry.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// What is remembered; a file that cannot be used counts as empty.
json read_cache(const std::string& path) {
  if (!fs::exists(path)) return json::object();
  try {
    json cache = read_json(path);
    return cache.is_object() ? cache : json::object();
  } catch (const Error&) {
    return json::object();
  }
}

}  // namespace

std::string verified_sha256(const std::string& path, const std::string& data_dir) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0)
    throw Error(path + ": cannot be read: " + std::strerror(errno));
  if (data_dir.empty()) return sha256_file(path);
  const int64_t mtime_ns = int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
  const std::string cache_path = (fs::path(data_dir) / ".minibert-verified.json").string();
  const std::string key = fs::path(path).lexically_relative(data_dir).string();
  json cache = read_cache(cache_path);
  if (const auto found = cache.find(key); found != cache.end() && found->is_object()) {
    const json wanted = {{"bytes", info.st_size}, {"mtime_ns", mtime_ns}};
    if (found->value("bytes", json()) == wanted["bytes"] &&
        found->value("mtime_ns", json()) == wanted["mtime_ns"] &&
        found->value("sha256", json()).is_string())
      return (*found)["sha256"];
  }
  const std::string sum = sha256_file(path);
  if (!is_writable_folder(data_dir)) return sum;
  cache[key] = {{"bytes", info.st_size}, {"mtime_ns", mtime_ns}, {"sha256", sum}};
  try {
    write_file_atomically(cache_path, cache.dump(1) + "\n");
  } catch (const Error&) {
    // A full disk or a second program at the same moment: the sum is computed again next time.
  }
  return sum;
}

}  // namespace minibert
