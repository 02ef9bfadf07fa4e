// Finds the names in a text: tokenizer and engine together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "infer/engine/text_model.h"
#include "infer/format/status.h"
#include "infer/timing.h"

namespace minibert::infer {

struct NamedEntity {
  std::string type;              // "PS"
  std::string text;              // exact text
  uint32_t begin = 0, end = 0;   // bytes of the text, [begin, end)
  uint32_t first = 0, last = 0;  // the same in code points, [first, last)
  float probability = 0;         // the mean over its pieces' tags
};

struct TagResult : TextReading {
  std::vector<NamedEntity> entities;  // in the text's order
};

// Which tags a text's pieces have.
enum class NamesOf {
  pieces,      // each its best: what the scores of runs are measured by
  whole_words  // whole_words.h
};

// Reads a text as in training: [CLS] text [SEP]. One that is longer than the model's max_length is read
// in windows (rules/text_windows.h); a piece has the tag of the window that shows most around it.
class Tagger {
 public:
  // Loads a model with its tokenizer. `file` must be 16-byte aligned and outlive this object.
  // Errors: those of TextModel::load(), and a model for another task.
  Status load(std::span<const uint8_t> file, Kernel kernel = best_kernel());
  Status load(TextModel loaded);  // the same from a file that is loaded already

  // Computes with this kernel from now on; it must be available().
  void use_kernel(Kernel kernel) { loaded_.use_kernel(kernel); }

  // Errors: an empty text, invalid UTF-8.
  Status tag(std::string_view text, TagResult* result, NamesOf names = NamesOf::pieces);

  // Gives the text's pieces, however many they are. Errors: invalid UTF-8.
  Status tokenize(std::string_view text, std::vector<Token>* tokens) const {
    return loaded_.tokenizer.encode(text, tokens);
  }

  // The engine's encode(), for pieces that are already known.
  Status encode_ids(std::span<const int32_t> ids) { return loaded_.engine->encode(ids); }

  const Model& model() const { return *loaded_.model; }
  const Engine& engine() const { return *loaded_.engine; }

 private:
  TextModel loaded_;
};

}  // namespace minibert::infer
