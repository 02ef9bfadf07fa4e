// From a run record to a `.mbq` model file (infer/format/mbq_format.h).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/run_record.h"

namespace minibert {

enum class MbqWeights { int8, float32 };

// The head that stands in the place of a masked LM's.
struct MbqHead {
  std::string key;          // infer::mbq::kAnswers, kClassifies or kTags; empty: none
  nlohmann::json settings;  // that key's of the metadata
};

// Everything a `.mbq` holds beside its weights' type.
struct MbqSource {
  nlohmann::json model;         // the architecture, as in a run's configuration
  std::string tokenizer_model;  // bytes
  std::string run;              // "<experiment>/<profile>/<arm>-s<seed>"
  std::string sha256;           // of the record
  std::map<std::string, double> metrics;
  MbqHead head;
};

// The bytes of a `.mbq`. Weights of heads that the file does not need (of sentences; of a masked LM where
// another stands in its place) are left out. Throws Error when the architecture is no BERT or a weight is missing or of another
// shape.
std::string make_mbq(const MbqSource& source, const std::vector<NamedTensor>& weights,
                     MbqWeights type);

// The `.mbq` of a finished or running run's record: of a pretraining run a masked LM, of one fine-tuned to
// answer questions, label texts or mark names a model with that head. Throws Error naming the file: no record,
// an LSTM, a model fine-tuned for another task, no weights, no tokenizer.
std::string export_record(const std::string& path, MbqWeights type);

// The bytes of a `.mbq`: `path` itself, or a float32 one made of a run record (`.h5`).
std::string load_or_export(const std::string& path);

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
