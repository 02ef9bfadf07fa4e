// A BERT's keys with what each does. Exports and growing go by it: they refuse a key that they do not know where its
// value is not the default, so that no model goes out as another one.
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
  nlohmann::json value, otherwise;  // of the config, and by default
};

// All keys in the list's order.
std::vector<MarkedKey> marked_keys(const BertConfig& config);

// Throws a usage Error that names the first key of a function or a head that `known` does not know and that
// has not its default. `who`: what cannot compute it ("ONNX").
void refuse_unknown_keys(std::span<const MarkedKey> keys,
                         const std::function<bool(const std::string&)>& known,
                         const std::string& who);

}  // namespace minibert
