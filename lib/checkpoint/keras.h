// Imports weights of the course's Keras model for pretraining, such as bert_pretrain_32000.hdf5.
// Layers come in the order of their creation, in each layer's attribute "weight_names"; a name's
// end tells the weight (the numbers before it count Keras' other objects). Keras 2 writes this form
// by save_weights("….hdf5") and model.save("….h5").
#pragma once

#include <string>

#include "checkpoint/checkpoint.h"

namespace minibert {

struct KerasSettings {
  // Not in the file. 0: heads of 64, the course's d_head.
  int64_t n_heads = 0;
  std::string tokenizer;  // a file that Tokenizer reads
};

// Imports the layers "bert" and, if present, "pooled_nsp" (the course's sentence order). Queries,
// keys and values may be one dense layer or three. Throws Error naming file and weight for a
// missing, unexpected or left-over layer or weight or another shape, a tokenizer of another size,
// and a file of Keras 3 (with the way to make Keras 2 write it); a usage Error for heads that do
// not divide d_model.
Checkpoint import_keras(const std::string& path, const KerasSettings& settings);

}  // namespace minibert
