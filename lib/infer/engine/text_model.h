// A model that reads text: weights, engine and tokenizer from one file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "infer/engine/engine.h"
#include "infer/engine/model.h"
#include "infer/engine/piece_tokenizer.h"
#include "infer/format/status.h"

namespace minibert::infer {

// Puts [CLS] before a text's pieces and [SEP] behind them.
void frame(std::vector<Token>* tokens);

// Fails for framed pieces of an empty text, and for more than `most` of them (naming both counts).
Status check_length(const std::vector<Token>& tokens, int32_t most);

struct TextModel {
  std::unique_ptr<Model> model;  // at a stable address, because the engine refers to it
  std::unique_ptr<Engine> engine;
  PieceTokenizer tokenizer;

  // `file` must be 16-byte aligned and outlive this object. Fails, and changes nothing, for a file
  // that Model::load() refuses and for a tokenizer with another number of pieces than the model.
  Status load(std::span<const uint8_t> file, Kernel kernel);

  // Sets the kernel for later calls; it must be available().
  void use_kernel(Kernel kernel) { engine = std::make_unique<Engine>(*model, kernel); }
};

}  // namespace minibert::infer
