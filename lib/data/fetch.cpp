// Downloads with libcurl.
#include "data/fetch.h"

#include <curl/curl.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "core/temporary.h"
#include "core/zip.h"

namespace minibert {
namespace {

namespace fs = std::filesystem;

constexpr long kHttpRangeNotSatisfiable = 416;

struct CurlClose {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};
struct FileClose {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

uint64_t size_or_zero(const std::string& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return error ? 0 : size;
}

// The result of one transfer.
struct Outcome {
  CURLcode code;
  long http_status;
  std::string message;
};

struct ProgressState {
  const FetchOptions& options;
  const std::string& name;
  uint64_t already;
};

int on_progress(void* state, curl_off_t total, curl_off_t done, curl_off_t, curl_off_t) {
  const auto& s = *static_cast<ProgressState*>(state);
  if (s.options.progress && done > 0)
    s.options.progress(s.name, s.already + static_cast<uint64_t>(done),
                       total > 0 ? s.already + static_cast<uint64_t>(total) : 0);
  return 0;
}

// Appends the missing bytes of `part` from `url`.
Outcome transfer(const std::string& url, const std::string& part, const std::string& name,
                 const FetchOptions& options) {
  const uint64_t already = size_or_zero(part);
  const std::unique_ptr<std::FILE, FileClose> out(std::fopen(part.c_str(), "ab"));
  if (!out) throw system_error(part + ": cannot be written");
  const std::unique_ptr<CURL, CurlClose> curl(curl_easy_init());
  if (!curl) throw Error(url + ": libcurl cannot be started");
  char reason[CURL_ERROR_SIZE] = "";
  ProgressState state{options, name, already};
  curl_easy_setopt(curl.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl.get(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl.get(), CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_CONNECTTIMEOUT,
                   static_cast<long>(options.connect_timeout_s));
  curl_easy_setopt(curl.get(), CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(curl.get(), CURLOPT_LOW_SPEED_TIME, static_cast<long>(options.stall_timeout_s));
  curl_easy_setopt(curl.get(), CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(already));
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, out.get());
  curl_easy_setopt(curl.get(), CURLOPT_ERRORBUFFER, reason);
  curl_easy_setopt(curl.get(), CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl.get(), CURLOPT_XFERINFOFUNCTION, on_progress);
  curl_easy_setopt(curl.get(), CURLOPT_XFERINFODATA, &state);
  Outcome outcome{};
  outcome.code = curl_easy_perform(curl.get());
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &outcome.http_status);
  outcome.message = *reason != '\0' ? reason : curl_easy_strerror(outcome.code);
  return outcome;
}

// Downloads to `part` until it is complete. Starts again, once, if the server does not resume.
void download(const std::string& url, const std::string& part, const std::string& target,
              const std::string& name, const FetchOptions& options) {
  std::error_code error;
  for (int attempt = 0;; ++attempt) {
    const bool resumed = size_or_zero(part) > 0;
    const Outcome outcome = transfer(url, part, name, options);
    if (outcome.code == CURLE_OK) return;
    const bool whole_already = outcome.http_status == kHttpRangeNotSatisfiable;
    if (whole_already && attempt == 0) return;  // its checksum decides
    if (resumed && attempt == 0 && outcome.code == CURLE_RANGE_ERROR) {
      fs::remove(part, error);
      continue;
    }
    if (size_or_zero(part) == 0) fs::remove(part, error);
    std::string message = url + ": ";
    message += outcome.code == CURLE_HTTP_RETURNED_ERROR
                   ? "HTTP status " + std::to_string(outcome.http_status)
                   : "cannot be fetched: " + outcome.message;
    throw Error(message + "; put the file at " + target +
                ", or point --data or MINIBERT_DATA at a folder that has it");
  }
}

// `own`, or where --url names a folder, `name` there.
std::string address(const std::string& own, const std::string& name, const FetchOptions& options) {
  if (options.url.empty()) return own;
  return options.url + (options.url.ends_with('/') ? "" : "/") + name;
}

void check_part(const DataFile& file, const std::string& part, const std::string& url) {
  if (file.sha256.empty()) return;
  const uint64_t size = size_or_zero(part);
  if (size != file.bytes)
    throw Error(url + ": found " + std::to_string(size) + " bytes, expected " +
                std::to_string(file.bytes));
  if (const std::string sum = sha256_file(part); sum != file.sha256)
    throw Error(url + ": found SHA-256 " + sum + ", expected " + file.sha256);
}

void put_in_place(const std::string& part, const std::string& target) {
  std::error_code error;
  fs::rename(part, target, error);
  if (error) throw Error(target + ": cannot be put in place: " + error.message());
}

void fetch_file(const DataFile& file, const std::string& target, const FetchOptions& options) {
  const std::string url = address(file.url, file.name, options);
  if (url.empty())
    throw Error("there is no public address for " + file.name + "; put the file at " + target +
                ", or point --data or MINIBERT_DATA at a folder that has it");
  std::error_code error;
  fs::create_directories(fs::path(target).parent_path(), error);
  if (error)
    throw Error(fs::path(target).parent_path().string() +
                ": cannot be created: " + error.message());
  const std::string part = target + ".part";
  for (;;) {
    // Without a sum nothing tells that the part is of an older version of the file.
    if (file.sha256.empty()) fs::remove(part, error);
    const bool resumed = size_or_zero(part) > 0;
    download(url, part, target, file.name, options);
    try {
      check_part(file, part, url);
      break;
    } catch (const Error&) {
      fs::remove(part, error);
      // The partial file may belong to another version: starts again from the beginning.
      if (!resumed) throw;
    }
  }
  put_in_place(part, target);
}

// Returns the last part of an address.
std::string name_in(const std::string& url) { return url.substr(url.rfind('/') + 1); }

// Downloads the archive beside its members, writes the missing members, and removes the archive.
void fetch_members(const DataSet& set, const std::vector<std::pair<DataFile, std::string>>& missing,
                   const FetchOptions& options) {
  const DataFile archive{.name = name_in(set.archive->url),
                         .kind = {},
                         .split = {},
                         .url = set.archive->url,
                         .bytes = set.archive->bytes,
                         .sha256 = set.archive->sha256};
  const std::string path = (fs::path(missing.front().second).parent_path() / archive.name).string();
  fetch_file(archive, path, options);
  const Temporary removed(path);
  const Archive members(path);
  for (const auto& [file, target] : missing) {
    const std::string part = target + ".part";
    write_file(part, members.unzipped(file.member, "the archive of " + set.id));
    check_part(file, part, path + ": " + file.member);
    put_in_place(part, target);
  }
}

}  // namespace

void fetch(const Registry& registry, const DataSet& set, const std::string& data_dir,
           const FetchOptions& options) {
  std::vector<std::pair<DataFile, std::string>> members;
  for (const DataFile& file : set.files) {
    const FileState state = registry.check(set, file, data_dir);
    if (state.presence == Presence::complete) continue;
    if (set.in_repository) throw Error(state.path + ": is part of the repository; restore it");
    if (file.member.empty())
      fetch_file(file, state.path, options);
    else
      members.emplace_back(file, state.path);
  }
  if (!members.empty()) fetch_members(set, members, options);
}

Fetcher automatic_fetcher(const Registry& registry, const FetchOptions& options) {
  const auto failure = std::make_shared<std::string>();
  return [&registry, options, failure](const DataSet& set, const std::string& data_dir) {
    if (!set.has_address() && options.url.empty()) return std::string("no public address");
    if (!is_writable_folder((fs::path(data_dir) / set.folder).string()))
      return std::string("the folder cannot be written, so nothing was fetched");
    if (!failure->empty()) return std::string("not fetched either");
    try {
      fetch(registry, set, data_dir, options);
    } catch (const Error& error) {
      *failure = error.what();
      return "not fetched: " + failure->substr(0, failure->find("; put the file"));
    }
    return std::string();
  };
}

}  // namespace minibert
