// Hugging Face's config.json of a BERT and our configuration.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "data/instances/instances.h"
#include "model/config.h"

namespace minibert {

// An own key of config.json, which transformers passes over: which of instances.sentence_task the
// sentence head learnt. Without it that is BERT's random_next.
inline constexpr char kSentenceTaskKey[] = "sentence_task";

// Sizes, activation, dropout, epsilon and mlm_tied of the configuration in `path`; nothing of heads.
// Throws a usage Error naming file and key: one that is missing, out of range, or of a model that ours
// cannot compute.
BertConfig read_huggingface_config(const std::string& path, const nlohmann::json& json);

// `architecture`: the class that transformers is to load.
nlohmann::ordered_json huggingface_config(const BertConfig& config, const std::string& architecture,
                                          SentenceTask task);

// Throws a usage Error naming `file` and the key where Hugging Face's BERT has no such model.
void check_huggingface_can(const BertConfig& config, const std::string& file);

}  // namespace minibert
