// Weights as a `.mbq` model file (infer/format/mbq_format.h).
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

// The head that stands in the place of a masked LM's.
struct MbqHead {
  std::string key = {};            // infer::mbq::kAnswers, kClassifies or kTags; empty: none
  nlohmann::json settings = {};    // that key's of the metadata
  std::optional<bool> pairs = {};  // of kClassifies: whether the run was trained on pairs of texts
  infer::Status (*load)(std::span<const uint8_t> file) = nullptr;  // what such a file is loaded by
};

// The head of files that `Engine` loads: infer::FillMask, infer::Answerer, infer::Classifier or infer::Tagger.
template <class Engine>
MbqHead head_loaded_by(std::string_view key = {}, nlohmann::json settings = {}) {
  return {std::string(key), std::move(settings), std::nullopt,
          [](std::span<const uint8_t> file) { return Engine().load(file); }};
}

// One run's two files, aligned to 16, for measuring what int8 costs.
struct MbqFiles {
  std::span<const uint8_t> float32, int8;
};

// Everything a `.mbq` holds beside its weights' type.
struct MbqSource {
  nlohmann::json model;         // the architecture, as in a run's configuration
  std::string tokenizer_model;  // bytes
  std::string run;              // "<experiment>/<profile>/<arm>-s<seed>"
  std::string sha256;           // of the record
  std::map<std::string, double> metrics;
  MbqHead head;
  nlohmann::json card = {};  // as the metadata's; null: the file has none
};

// The bytes of a `.mbq`. Weights of heads that the file does not need (of sentences; of a masked LM where
// another stands in its place) are left out. Throws Error when the architecture is no BERT or a weight is missing or of another
// shape.
std::string make_mbq(const MbqSource& source, const std::vector<NamedTensor>& weights,
                     MbqWeights type);

// Bytes at an address that infer::Model::load takes (aligned to 16).
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
