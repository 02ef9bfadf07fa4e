#include "record/progress.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "core/files.h"
#include "core/text.h"

namespace minibert {
namespace {

// A last line that a kill cut off is not JSON and goes too.
std::string lines_up_to(const std::string& path, const ProgressLog::Kept& kept_steps) {
  std::ifstream in(path);
  std::string kept;
  for (std::string line; next_line(in, &line);) {
    const nlohmann::json object = nlohmann::json::parse(line, nullptr, false);
    if (!object.is_object() || !object.contains("step") || !object["step"].is_number()) continue;
    const int64_t last = object.contains("dev") ? kept_steps.dev_step : kept_steps.step;
    if (object["step"].get<int64_t>() <= last) kept += line + "\n";
  }
  return kept;
}

}  // namespace

std::string progress_path(const std::string& record_path) {
  return std::filesystem::path(record_path).replace_extension(".progress.jsonl").string();
}

ProgressLog::ProgressLog(const std::string& record_path, std::optional<Kept> kept)
    : path_(progress_path(record_path)) {
  write_file_atomically(path_, kept ? lines_up_to(path_, *kept) : "");
  fd_ = open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd_ < 0) throw system_error(path_ + ": cannot be written");
}

ProgressLog::~ProgressLog() { close(fd_); }

void ProgressLog::append(const nlohmann::json& object) {
  const std::string line = object.dump() + "\n";
  const ssize_t written = write(fd_, line.data(), line.size());
  if (written == static_cast<ssize_t>(line.size())) return;
  const int why = written < 0 ? errno : ENOSPC;  // a part fitted
  throw system_error(path_ + ": cannot be written", why);
}

}  // namespace minibert
