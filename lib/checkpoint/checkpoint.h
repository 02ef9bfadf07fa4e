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
  std::string weights_file;  // for messages
};

// Throws Error where the file is what Git LFS keeps in the place of a large one.
void refuse_lfs_pointer(const std::string& path);

// "[2,3]", for messages.
std::string shape_text(const std::vector<int64_t>& shape);

// JSON in a message: what is larger than a word, by its kind.
std::string shown_value(const nlohmann::json& value);

// Throws Error that begins with `where`: it is no object.
void expect_object(const nlohmann::json& value, const std::string& where);

}  // namespace minibert
