// The encoder of a finished run of any task for use without its data: hidden states and attention.
#pragma once

#include <memory>
#include <string>

#include "model/bert.h"
#include "record/run_record.h"
#include "task/text_input.h"
#include "text/tokenizer.h"

namespace minibert {

class StoredEncoder {
 public:
  // In eval mode, in float32 on the CPU. Throws Error naming `file` for no weights, no model, or
  // weights that do not fit.
  StoredEncoder(const RunRecord& record, const std::string& file);

  const Tokenizer& tokenizer() const { return tokenizer_; }
  int64_t max_positions() const { return model_->encoder().max_positions(); }
  int64_t width() const { return model_->encoder().width(); }
  // Encodes a text as the encoder's input. Throws a usage Error that begins with `name` if it is
  // empty, not UTF-8 or too long.
  TextInput read(const std::string& text, const std::string& name) const;
  // Both [1, S] int64 -> [S, D].
  torch::Tensor hidden(const torch::Tensor& ids, const torch::Tensor& segments) const;
  // Returns hidden() after every layer, n_layers + 1 of [S, D], and attention. Throws a usage Error
  // if the encoder is no BERT.
  EncoderTrace trace(const torch::Tensor& ids, const torch::Tensor& segments) const;
  // Returns the output of BERT's pooler (dense + tanh), on which a sentence or sequence head
  // stands, for hidden_SD: [D]; undefined if the run has none.
  torch::Tensor pooled(const torch::Tensor& hidden, const torch::Tensor& ids) const;

 private:
  BertEncoder& bert() const;

  std::string file_;
  Tokenizer tokenizer_;
  std::shared_ptr<Model> model_;
  torch::Tensor pooler_weight_, pooler_bias_;
};

}  // namespace minibert
