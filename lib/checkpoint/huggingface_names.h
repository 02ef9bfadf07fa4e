// Which tensors of Hugging Face's BERT (transformers: BertModel, BertForMaskedLM, BertForPreTraining)
// are which of ours. One table for both directions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/config.h"

namespace minibert {

struct HuggingfaceHeads {
  bool masked_lm = false, pooler = false, sentence = false;  // a sentence head stands on a pooler
};

struct TensorNames {
  std::string ours;
  std::vector<int64_t> shape;  // of ours
  std::vector<std::string>
      theirs;  // with "bert."; the rows of several, one after the other, are ours
  // Two rows in the other order: their first logit says that B follows A, ours the second.
  bool swapped = false;

  std::vector<int64_t> their_shape() const;  // of each of theirs
};

// All tensors of a model with these heads; of the configuration the sizes and mlm_tied are read.
std::vector<TensorNames> huggingface_names(const BertConfig& config, const HuggingfaceHeads& heads);

}  // namespace minibert
