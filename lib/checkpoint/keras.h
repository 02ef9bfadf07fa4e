// The weights that the course's pretraining model saves in Keras, as bert_pretrain_32000.hdf5 has them. Layers come in the
// order in which the model makes them, in each layer's attribute "weight_names"; the names' ends tell what a weight is
// (numbers before them count what else Keras made). Keras 2 writes such files by save_weights("….hdf5") and
// model.save("….h5").
#pragma once

#include <string>

#include "checkpoint/checkpoint.h"

namespace minibert {

struct KerasSettings {
  // Not in the file. 0: heads of 64, the course's d_head.
  int64_t n_heads = 0;
  std::string tokenizer;  // a file that Tokenizer reads
};

// The layers "bert" and, where it is there, "pooled_nsp" (the course's sentence order). Queries, keys and values may be
// one dense layer or three. Throws Error naming file and weight: a layer or weight that is missing, another than expected
// in its place, left over or of another shape, a tokenizer of another size, a file of Keras 3 (with what makes Keras 2
// write it); a usage Error for heads that do not divide d_model.
Checkpoint import_keras(const std::string& path, const KerasSettings& settings);

}  // namespace minibert
