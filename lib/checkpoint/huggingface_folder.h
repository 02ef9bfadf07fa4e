// What every folder in Hugging Face's form has, whatever model is in it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "checkpoint/checkpoint.h"

namespace minibert {

inline constexpr char kConfigFile[] = "config.json";
inline constexpr char kWeightsFile[] = "model.safetensors";

// The folder's weights, in one file or in several that an index names. Throws Error: there are none, or in
// another form (with the command that converts them).
std::vector<std::string> weight_files_of(const std::string& folder);

// "a, b and 3 more"
std::string some_of(const std::vector<std::string>& names);

// Which files the checkpoint was read from.
void set_files(const std::string& config, const std::vector<std::string>& weights,
               const std::vector<std::string>& tokenizer, Checkpoint* out);

// The masked-LM head of a model that has none: tied, and where states are wider than embeddings with what
// stands between them, untrained; pretraining that begins from the record trains it.
void add_untrained_head(Checkpoint* out);

// Whether config.json is that of a folder with modeling_minibert.py.
bool is_own_folder(const nlohmann::json& config);

// That folder's model under the record's names, fine-tuned heads too where config.json tells their task.
// Throws Error naming file and key or tensor: a model that is none of ours, a head of a task that is not
// told, tensors that are left over, a tokenizer of another size.
Checkpoint import_own_folder(const std::string& folder, const nlohmann::json& config);

}  // namespace minibert
