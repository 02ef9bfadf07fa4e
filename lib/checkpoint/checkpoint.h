// A pretrained BERT of another program, in the terms of a run record.
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
  std::string architecture;  // the stored class, in the other program's words
  BertConfig model;          // with vocab_size
  // False: the weights are only an encoder's, and their guesses mean nothing.
  bool masked_lm = true;
  SentenceTask sentence_task = SentenceTask::none;  // none: no such head
  std::vector<NamedTensor> weights;                 // under the names of records
  std::string tokenizer;                            // bytes, as in a record
  std::vector<std::string> files;                   // all files that were read
  // Facts for the user who imports it, by name: treatment of text, left-out parts.
  nlohmann::ordered_json told = nlohmann::ordered_json::object();
  std::string weights_file;  // for messages
};

// Throws Error if the file is the pointer that Git LFS keeps in place of a large file.
void refuse_lfs_pointer(const std::string& path);

// Returns "[2,3]", for messages.
std::string shape_text(const std::vector<int64_t>& shape);

// Returns JSON for a message; a value larger than a word appears by its kind.
std::string shown_value(const nlohmann::json& value);

// Throws Error that begins with `where` if the value is no object.
void expect_object(const nlohmann::json& value, const std::string& where);

}  // namespace minibert
