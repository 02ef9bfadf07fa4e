// Hugging Face's config.json of a BERT or its kin and our configuration.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "checkpoint/huggingface_names.h"
#include "data/instances/instance_settings.h"
#include "model/config.h"

namespace minibert {

// An own key of config.json, which transformers passes over: which of instances.sentence_task the
// sentence head learnt. Without it that is BERT's random_next, ALBERT's swap.
inline constexpr char kSentenceTaskKey[] = "sentence_task";

// Another own key: what of its experiment a run of ours tells, so that an import is the run again: "task",
// "data", and "features" or "instances" and "objective".
inline constexpr char kRunKey[] = "minibert";

struct HuggingfaceModel {
  BertConfig config;  // vocab_size is that of the tables until the tokenizer is known
  HuggingfaceTables tables;
  std::vector<std::string> architectures;  // of an ELECTRA: the classes that are named
};

// Sizes, activation, dropout, epsilon and mlm_tied of the configuration in `path`; nothing of heads.
// Throws a usage Error naming file and key: one that is missing, out of range, or of a model that ours
// cannot compute.
HuggingfaceModel read_huggingface_config(const std::string& path, const nlohmann::json& json);

// Throws a usage Error naming file and key where `model`, which is read from there, has layers with another activation
// than gelu and its family's masked-LM head computes that alone. A model without such a head may have any.
void check_masked_lm_activation(const std::string& path, const nlohmann::json& json,
                                const HuggingfaceModel& model);

// `architecture`: the class of transformers' BERT that is to be loaded.
nlohmann::ordered_json huggingface_config(const BertConfig& config,
                                          const std::string& architecture);

// Whether transformers' BERT computes this encoder and, with `masked_lm`, this masked LM (model/marked_keys.h).
bool is_huggingface_bert(const BertConfig& config, bool masked_lm);

}  // namespace minibert
