// A checkpoint as an ordinary run record: fill-mask, evaluate, init_from and all else read it as one that
// was trained here.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "checkpoint/checkpoint.h"

namespace minibert {

struct ImportSettings {
  std::string path;  // of the record, which names the tokenizer's place in its configuration
  std::string name;  // of the record's arm
  std::string data;  // id of the data set that `evaluate` measures on unless told another
  nlohmann::json environment;  // where it is imported
};

// A finished record of an experiment "imported" whose /data tells the files (with SHA-256) that it came
// from. Throws Error when the checkpoint's weights are not those of its model.
RunRecord imported_record(const Checkpoint& checkpoint, const ImportSettings& settings);

}  // namespace minibert
