// Finds the names in a text, with tokenizer and engine.
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
  std::string text;              // the text's own characters
  uint32_t begin = 0, end = 0;   // bytes of the text, [begin, end)
  uint32_t first = 0, last = 0;  // in code points, [first, last)
  float probability = 0;         // the mean over its pieces' tags
};

struct TagResult : TextReading {
  std::vector<NamedEntity> entities;  // in the text's order
};

// How a text's pieces get their tags.
enum class NamesOf {
  pieces,      // each its best tag, as in the scores of runs
  whole_words  // whole_words.h
};

// Reads a text as in training: [CLS] text [SEP]. A text longer than the model's max_length is read
// in windows (rules/text_windows.h); a piece's tag is from the window with most context.
class Tagger {
 public:
  // Loads a model with its tokenizer. `file` must be 16-byte aligned and outlive this object. Fails
  // like TextModel::load(), and for a model of another task.
  Status load(std::span<const uint8_t> file, Kernel kernel = best_kernel());
  Status load(TextModel loaded);  // from a loaded file

  // Sets the kernel for later calls; it must be available().
  void use_kernel(Kernel kernel) { loaded_.use_kernel(kernel); }

  // Fails for an empty text and invalid UTF-8.
  Status tag(std::string_view text, TagResult* result, NamesOf names = NamesOf::pieces);

  // Returns the text's pieces, whatever their number. Fails for invalid UTF-8.
  Status tokenize(std::string_view text, std::vector<Token>* tokens) const {
    return loaded_.tokenizer.encode(text, tokens);
  }

  // Runs the engine's encode() on known pieces.
  Status encode_ids(std::span<const int32_t> ids) { return loaded_.engine->encode(ids); }

  const Model& model() const { return *loaded_.model; }
  const Engine& engine() const { return *loaded_.engine; }

 private:
  TextModel loaded_;
};

}  // namespace minibert::infer
