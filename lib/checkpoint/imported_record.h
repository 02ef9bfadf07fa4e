// Stores a checkpoint as an ordinary run record: fill-mask, evaluate, init_from and all others read
// it like one that was trained here.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "checkpoint/checkpoint.h"

namespace minibert {

struct ImportSettings {
  std::string path;            // of the record, and in its configuration of the tokenizer
  std::string name;            // of the record's arm
  std::string data;            // id of the data set for `evaluate` by default
  nlohmann::json environment;  // of the import
};

// Returns a finished record of an experiment "imported"; its /data names the imported files (with
// SHA-256). Throws Error if the checkpoint's weights are not its model's.
RunRecord imported_record(const Checkpoint& checkpoint, const ImportSettings& settings);

}  // namespace minibert
