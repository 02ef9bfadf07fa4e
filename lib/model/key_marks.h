// Marks each key of a BERT with its effect on the model's function (marked_keys.h).
#pragma once

#include <nlohmann/json.hpp>
#include <utility>

namespace minibert {

enum class KeyOf {
  function,  // another value makes another encoder
  head,      // another value makes another head of pretraining
  training,  // does not change outputs: initial weights and training
};

// Stands beside each key of the list in bert_config.h; a key without one does not compile.
struct KeyMark {
  KeyOf of = KeyOf::function;
  // The only value with which transformers' BERT computes the same. Null: its config.json has the
  // key (checkpoint/huggingface_config.h), or a head's weights show it.
  nlohmann::json plain = nullptr;
};
inline KeyMark function_key(nlohmann::json plain = nullptr) {
  return {KeyOf::function, std::move(plain)};
}
inline KeyMark head_key(nlohmann::json plain = nullptr) { return {KeyOf::head, std::move(plain)}; }
inline KeyMark training_key() { return {KeyOf::training, nullptr}; }

}  // namespace minibert
