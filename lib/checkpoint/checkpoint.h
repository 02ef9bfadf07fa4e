// A pretrained BERT as another program stores it, in the terms of a run record.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/instances/instance_settings.h"
#include "model/config.h"
#include "record/run_record.h"

namespace minibert {

struct Checkpoint {
  std::string format;        // "huggingface", "keras"
  std::string architecture;  // the class that was stored, in the other program's words
  BertConfig model;          // with vocab_size
  // Without it the weights are an encoder's alone, and guesses from them mean nothing.
  bool masked_lm = true;
  SentenceTask sentence_task = SentenceTask::none;  // none: no head for one
  std::vector<NamedTensor> weights;                 // under the names of records
  std::string tokenizer;                            // bytes, as a record keeps them
  std::vector<std::string> files;                   // that all this was read from
  // What the one who imports it must know, by name: how text is treated, what was left out.
  nlohmann::ordered_json told = nlohmann::ordered_json::object();
  // "model" of a record that answers questions; null: a pretrained model, which `model` describes.
  nlohmann::json answering;
};

// Throws Error naming `file` unless these bytes are a tokenizer of `vocab_size` pieces; `where` says
// where that number stands.
void check_tokenizer(const std::string& bytes, const std::string& file, int64_t vocab_size,
                     const std::string& where);

// "[2,3]", for messages.
std::string shape_text(const std::vector<int64_t>& shape);

}  // namespace minibert
