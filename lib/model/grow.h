// Makes a larger BERT that starts as the same function as a smaller one (Net2Net, Chen et al. 2016,
// arXiv 1511.05641; for BERT: Chen et al. 2022, bert2BERT, arXiv 2110.07143). Units are repeated;
// what reads them divides its weight unevenly among the repetitions (equal parts would stay equal
// for ever). An added layer copies the last one but contributes nothing yet.
#pragma once

#include "model/bert_init.h"
#include "model/config.h"

namespace minibert {

// Turns the weights of a BertEncoder with the heads of pretraining, by their names in a record,
// into weights of a larger model that computes the same but for rounding. May grow: d_model and
// embedding_size (to a multiple, because LayerNorm's mean and variance must stay; heads keep their
// width; only with mlm_transform), d_ff, and n_layers (pre-norm). `seed` draws the uneven parts.
// Throws a usage Error naming a key that cannot grow, and Error for another head's weight.
NamedParameters grow(const NamedParameters& weights, const BertConfig& from, const BertConfig& to,
                     uint64_t seed);

}  // namespace minibert
