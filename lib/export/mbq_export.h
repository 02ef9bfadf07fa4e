// Writes weights as a `.mbq` model file (infer/format/mbq_format.h).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "infer/format/status.h"
#include "record/run_record.h"

namespace minibert {

enum class MbqWeights { int8, float32 };

// A head in place of a masked LM's.
struct MbqHead {
  std::string key = {};            // infer::mbq::kAnswers, kClassifies or kTags; empty: none
  nlohmann::json settings = {};    // the value of that key in the metadata
  std::optional<bool> pairs = {};  // for kClassifies: the run was trained on pairs of texts
  infer::Status (*load)(std::span<const uint8_t> file) = nullptr;  // loads and checks such a file
};

// Returns the head of files that `Engine` loads: infer::FillMask, infer::Answerer,
// infer::Classifier or infer::Tagger.
template <class Engine>
MbqHead head_loaded_by(std::string_view key = {}, nlohmann::json settings = {}) {
  return {std::string(key), std::move(settings), std::nullopt,
          [](std::span<const uint8_t> file) { return Engine().load(file); }};
}

// One run's two files, aligned to 16, to measure the loss by int8.
struct MbqFiles {
  std::span<const uint8_t> float32, int8;
};

// The contents of a `.mbq` without weights.
struct MbqSource {
  nlohmann::json model;         // the architecture, as in a run's configuration
  std::string tokenizer_model;  // bytes
  std::string run;              // "<experiment>/<profile>/<arm>-s<seed>"
  std::string sha256;           // of the record
  std::map<std::string, double> metrics;
  MbqHead head;
  nlohmann::json card = {};  // the metadata's card; null: none
};

// Returns the bytes of a `.mbq`. Leaves out weights of heads that the file does not need (the
// sentence head's; a masked LM's if another head replaces it). Throws Error if the architecture is
// no BERT, or if a weight is missing or has another shape.
std::string make_mbq(const MbqSource& source, const std::vector<NamedTensor>& weights,
                     MbqWeights type);

// Bytes at an address aligned to 16, as infer::Model::load needs it.
class AlignedBytes {
 public:
  explicit AlignedBytes(std::string_view bytes);
  std::span<const uint8_t> span() const;

 private:
  struct alignas(16) Block {
    uint8_t bytes[16];
  };
  std::unique_ptr<Block[]> blocks_;
  size_t size_;
};

}  // namespace minibert
