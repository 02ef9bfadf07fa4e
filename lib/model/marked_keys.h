// A BERT's keys with their effect. Exports and growing refuse an unknown key unless it has its
// default, so that no model turns into another one.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "model/key_marks.h"

namespace minibert {

struct BertConfig;

struct MarkedKey {
  std::string key;
  KeyMark mark;
  nlohmann::json value, otherwise;  // in the config, and by default
};

// All keys in the list's order.
std::vector<MarkedKey> marked_keys(const BertConfig& config);

// Throws a usage Error naming the first key of a function or a head that `known` rejects and whose
// value is not the default. `who`: the program that lacks the key ("ONNX").
void refuse_unknown_keys(std::span<const MarkedKey> keys,
                         const std::function<bool(const std::string&)>& known,
                         const std::string& who);

}  // namespace minibert
