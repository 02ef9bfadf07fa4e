// Live progress of a run: one JSON object a line in `<run>.progress.jsonl` beside its record. Only
// the record counts afterwards.
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
  // The checkpoint of a resumed run: its step, and its last step with dev metrics.
  struct Kept {
    int64_t step, dev_step;
  };
  // A new run starts with an empty file. A resumed run keeps the lines whose "step" is at most that
  // of its checkpoint. Throws Error if the file cannot be written.
  explicit ProgressLog(const std::string& record_path, std::optional<Kept> kept = {});
  ~ProgressLog();
  ProgressLog(const ProgressLog&) = delete;
  ProgressLog& operator=(const ProgressLog&) = delete;

  // Adds one line in one write: a reader never sees half a line.
  void append(const nlohmann::json& object);

 private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace minibert
