// Measures the loss by quantization in labelling and tagging: both models read the same texts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/files/examples.h"

namespace minibert {

struct LabelAgreement {
  uint64_t texts = 0;
  uint64_t same = 0;  // equal labels of both models, or equal sets
  uint64_t float_right = 0, int8_right = 0;

  double agreement() const {
    return double(same) / double(texts);
  }  // 0 to 1, like the shares below
  double float_accuracy() const { return double(float_right) / double(texts); }
  double int8_accuracy() const { return double(int8_right) / double(texts); }
};

// Labels the examples with the portable engine on `threads` threads. Throws Error if a model file
// cannot be loaded or an example cannot be read. The files' bytes must be aligned to 16.
LabelAgreement measure_label_agreement(std::span<const uint8_t> float_file,
                                       std::span<const uint8_t> int8_file,
                                       std::span<const LabelledExample> examples, int threads);

// Names from the pieces' best tags, or as people see them: of whole words, without particles.
enum class TagsOf { pieces, shown };

// Returns the tags of every text's characters, separated by spaces, from the model in `file`.
std::vector<std::string> engine_tags(std::span<const uint8_t> file,
                                     const std::vector<std::string>& texts, int threads, TagsOf of);

}  // namespace minibert
