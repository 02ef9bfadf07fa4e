// What each key of a BERT does to what the model computes. Exports and growing go by it: they refuse a key
// that they do not know where its value is not the default, so that no model goes out as another one.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace minibert {

struct BertConfig;

enum class KeyOf {
  function,  // another value makes another encoder
  head,      // another value makes another head of pretraining
  training,  // outputs do not depend on it: how the weights start and how they are learnt
};

// Stands beside each key of the list in config_fields.h; a key without one does not compile.
struct KeyMark {
  KeyOf of = KeyOf::function;
  // The one value that transformers' BERT computes. Null: its config.json says the key
  // (checkpoint/huggingface_config.h), or a head's weights do.
  nlohmann::json plain = nullptr;
};
inline KeyMark function_key(nlohmann::json plain = nullptr) {
  return {KeyOf::function, std::move(plain)};
}
inline KeyMark head_key(nlohmann::json plain = nullptr) { return {KeyOf::head, std::move(plain)}; }
inline KeyMark training_key() { return {KeyOf::training, nullptr}; }

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
