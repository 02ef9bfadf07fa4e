// A model that reads text: its weights, an engine and its tokenizer, from one file.
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

// Errors: framed pieces of an empty text, more of them than `most` (names both counts).
Status check_length(const std::vector<Token>& tokens, int32_t most);

struct TextModel {
  std::unique_ptr<Model> model;  // at a stable address, because the engine keeps it
  std::unique_ptr<Engine> engine;
  PieceTokenizer tokenizer;

  // `file` must be 16-byte aligned and outlive this object. Errors, after which this is as before:
  // a file that Model::load() refuses, a tokenizer with another number of pieces than the model.
  Status load(std::span<const uint8_t> file, Kernel kernel);

  // Computes with this kernel from now on; it must be available().
  void use_kernel(Kernel kernel) { engine = std::make_unique<Engine>(*model, kernel); }
};

}  // namespace minibert::infer
