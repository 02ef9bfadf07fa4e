// Configurations of models: plain data, no tensors, no argument parser.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "core/config_reader.h"
#include "core/key_section.h"
#include "model/bert_config.h"

namespace minibert {

inline constexpr int64_t kSmallestVocabulary = 8;  // the special pieces and one more

// The course's baseline (lstm.h).
struct LstmConfig {
  static constexpr const char* kKind = "lstm";
  int64_t vocab_size = 8007;
  int64_t d_model = 512;
  int64_t segments = 2;
};

// A bag of pieces (bag.h).
struct BagConfig {
  static constexpr const char* kKind = "bag";
  int64_t vocab_size = 8007;
  int64_t d_model = 32;
};

// Functions of every kind, by overload (model_config.h's IsModelKind lists the required ones).
// read_keys() reads every key but "kind"; vocab_size is set. Throws a usage Error naming the key.
void read_keys(ConfigReader& reader, BertConfig* config);
void read_keys(ConfigReader& reader, LstmConfig* config);
void read_keys(ConfigReader& reader, BagConfig* config);
// Adds the same keys, and no other, to an object.
void write_keys(const BertConfig& config, nlohmann::json* json);
void write_keys(const LstmConfig& config, nlohmann::json* json);
void write_keys(const BagConfig& config, nlohmann::json* json);
// The longest input in pieces; INT64_MAX if there is no limit.
int64_t max_positions(const BertConfig& config);
int64_t max_positions(const LstmConfig& config);
int64_t max_positions(const BagConfig& config);
// Sets the rows of the segment table. Returns false and sets nothing if the kind has no such table.
bool set_segments(BertConfig* config, int64_t segments);
bool set_segments(LstmConfig* config, int64_t segments);
bool set_segments(BagConfig* config, int64_t segments);
// The kind's section in experiments/KEYS.md.
KeySection key_section(const BertConfig& defaults);
KeySection key_section(const LstmConfig& defaults);
KeySection key_section(const BagConfig& defaults);

// Write and read a BERT as a record stores it: "kind", vocab_size and the keys; reading ignores
// keys of heads. `file` is for messages. Throws a usage Error for another kind.
nlohmann::json to_json(const BertConfig& config);
BertConfig bert_from_json(const nlohmann::json& json, const std::string& file);

}  // namespace minibert
