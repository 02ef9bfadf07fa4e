// A larger BERT that begins as the function of a smaller one (Net2Net, Chen et al. 2016, arXiv
// 1511.05641; for BERT: Chen et al. 2022, bert2BERT, arXiv 2110.07143). Units are repeated, what
// reads them shares its weight among the repetitions in uneven parts (else they would stay equal
// for ever), and a layer that is added copies the last one but gives nothing yet.
#pragma once

#include "model/bert_init.h"
#include "model/config.h"

namespace minibert {

// Turns the weights of a BertEncoder with the heads of pretraining, by their names in a record,
// into those of a larger model that computes the same but for rounding. May grow: d_model and
// embedding_size (to a multiple, since LayerNorm's mean and variance must stay; heads keep their
// width; only with mlm_transform), d_ff, and n_layers (pre-norm). `seed` draws the uneven parts.
// Throws a usage Error naming the key when `from` cannot grow to `to`, and an Error at a weight of
// another head.
NamedParameters grow(const NamedParameters& weights, const BertConfig& from, const BertConfig& to,
                     uint64_t seed);

}  // namespace minibert
