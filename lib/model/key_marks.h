// What each key of a BERT does to what the model computes (marked_keys.h).
#pragma once

#include <nlohmann/json.hpp>
#include <utility>

namespace minibert {

enum class KeyOf {
  function,  // another value makes another encoder
  head,      // another value makes another head of pretraining
  training,  // outputs do not depend on it: how the weights start and how they are learnt
};

// Stands beside each key of the list in bert_config.h; a key without one does not compile.
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

}  // namespace minibert
