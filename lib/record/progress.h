// Live progress of a run: one JSON object a line in `<run>.progress.jsonl` beside its record, for
// whoever watches. The record alone is what counts afterwards.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace minibert {

// "a/bert-s1.h5" → "a/bert-s1.progress.jsonl"
std::string progress_path(const std::string& record_path);

class ProgressLog {
 public:
  // What a run that goes on has kept: the step of its checkpoint, and the last one with dev metrics in it.
  struct Kept {
    int64_t step, dev_step;
  };
  // A new run starts with an empty file. One that goes on keeps the lines whose "step" is at most
  // that of its checkpoint. Throws Error when the file cannot be written.
  explicit ProgressLog(const std::string& record_path, std::optional<Kept> kept = {});
  ~ProgressLog();
  ProgressLog(const ProgressLog&) = delete;
  ProgressLog& operator=(const ProgressLog&) = delete;

  // Adds one line, in one write, so that a reader never waits for half a line.
  void append(const nlohmann::json& object);

 private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace minibert
