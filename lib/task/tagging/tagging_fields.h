// The keys of tagging experiments.
#pragma once

#include "core/fields.h"
#include "task/tagging/tagging_data.h"

namespace minibert {

template <class V>
void fields(TaggingSettings& c, V& v) {
  v("max_length", c.max_length, Whole{8, 4096},
    "pieces of a sentence, special ones included; what is beyond is tagged O");
}

// In "model".
struct TaggingHeadConfig {
  double dropout = 0.1;
};

template <class V>
void fields(TaggingHeadConfig& c, V& v) {
  v("head_dropout", c.dropout, Real{0, 0.9}, "before the output layer");
}

}  // namespace minibert
