// Hugging Face's config.json of a BERT or its kin and our configuration.
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

// An own key of config.json, which transformers passes over: which of instances.sentence_task the
// sentence head learnt. Without it that is BERT's random_next.
inline constexpr char kSentenceTaskKey[] = "sentence_task";

struct HuggingfaceModel {
  BertConfig config;  // vocab_size is that of the tables until the tokenizer is known
  HuggingfaceTables tables;
};

// Sizes, activation, dropout, epsilon and mlm_tied of the configuration in `path`; nothing of heads.
// Throws a usage Error naming file and key: one that is missing, out of range, or of a model that ours
// cannot compute.
HuggingfaceModel read_huggingface_config(const std::string& path, const nlohmann::json& json);

// Throws a usage Error naming file and key where the layers of `model`, which is read from there, have another
// activation than gelu and its kind's masked-LM head computes gelu alone. A model without such a head may have any.
void check_masked_lm_activation(const std::string& path, const nlohmann::json& json,
                                const HuggingfaceModel& model);

// `architecture`: the class of transformers' BERT that is to be loaded.
nlohmann::ordered_json huggingface_config(const BertConfig& config,
                                          const std::string& architecture);

// Whether transformers' BERT computes this encoder and, with `masked_lm`, this masked LM (model/marked_keys.h).
bool is_huggingface_bert(const BertConfig& config, bool masked_lm);

}  // namespace minibert
