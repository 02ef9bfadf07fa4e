// The keys of an arm's "model" for encoders other than BERT, beside "kind".
#pragma once

#include "core/fields.h"
#include "model/config.h"

namespace minibert {

template <class V>
void fields(LstmConfig& c, V& v) {
  v("d_model", c.d_model, Whole{1, 8192}, "width of the embeddings and of both layers");
  v("segments", c.segments, kSegments, "rows of the segment table");
}

template <class V>
void fields(BagConfig& c, V& v) {
  v("d_model", c.d_model, Whole{1, 8192}, "width of the embeddings");
}

}  // namespace minibert
