// The encoder of a finished run of any task, put to use without the run's data: its hidden states, and
// what its attention looks at.
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
  // In eval mode, computing in float32 on the CPU. Throws Error naming `file`: no weights, no model,
  // weights that do not fit it.
  StoredEncoder(const RunRecord& record, const std::string& file);

  const Tokenizer& tokenizer() const { return tokenizer_; }
  int64_t max_positions() const { return model_->encoder().max_positions(); }
  int64_t width() const { return model_->encoder().width(); }
  // A text as the encoder reads it. Throws a usage Error that begins with `name`: empty, no UTF-8, too long.
  TextInput read(const std::string& text, const std::string& name) const;
  // [1, S] int64 both -> [S, D].
  torch::Tensor hidden(const torch::Tensor& ids, const torch::Tensor& segments) const;
  // hidden() after every layer, n_layers + 1 of [S, D], and attention. Throws a usage Error where it is
  // no BERT.
  EncoderTrace trace(const torch::Tensor& ids, const torch::Tensor& segments) const;
  // What BERT's pooler (dense + tanh), which a sentence or sequence head stands on, makes of hidden_SD:
  // [D]; undefined where the run has none.
  torch::Tensor pooled(const torch::Tensor& hidden, const torch::Tensor& ids) const;

 private:
  BertEncoder& bert() const;

  std::string file_;
  Tokenizer tokenizer_;
  std::shared_ptr<Model> model_;
  torch::Tensor pooler_weight_, pooler_bias_;
};

}  // namespace minibert
