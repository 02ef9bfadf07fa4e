// Converts between Hugging Face's config.json for BERT-like models and our configuration.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "checkpoint/huggingface_names.h"
#include "data/instances/instance_settings.h"
#include "model/config.h"

namespace minibert {

inline constexpr char kConfigFile[] = "config.json";
inline constexpr char kWeightsFile[] = "model.safetensors";

// Our key in config.json, which transformers ignores: the instances.sentence_task of the sentence
// head. Without it, BERT's random_next.
inline constexpr char kSentenceTaskKey[] = "sentence_task";

struct HuggingfaceModel {
  BertConfig config;  // vocab_size is the tables' until the tokenizer is known
  HuggingfaceTables tables;
};

// Reads sizes, activation, dropout, epsilon and mlm_tied from the configuration in `path`, and
// nothing about heads. Throws a usage Error naming file and key if one is missing, out of range, or
// of a model that ours cannot compute.
HuggingfaceModel read_huggingface_config(const std::string& path, const nlohmann::json& json);

// Throws a usage Error naming file and key if `model`'s layers, read from there, have another
// activation than gelu and the kind's masked-LM head computes only gelu. A model without such a
// head may have any.
void check_masked_lm_activation(const std::string& path, const nlohmann::json& json,
                                const HuggingfaceModel& model);

// `architecture`: the class of transformers' BERT to load.
nlohmann::ordered_json huggingface_config(const BertConfig& config,
                                          const std::string& architecture);

// True if transformers' BERT computes this encoder and, with `masked_lm`, this masked LM.
bool is_huggingface_bert(const BertConfig& config, bool masked_lm);

}  // namespace minibert
