#include "checkpoint/huggingface_names.h"

namespace minibert {
namespace {

class Names {
 public:
  void tensor(const std::string& ours, std::vector<int64_t> shape,
              const std::vector<std::string>& theirs) {
    all_.push_back({ours, std::move(shape), theirs});
  }
  void dense(const std::string& ours, int64_t outputs, int64_t inputs,
             const std::vector<std::string>& theirs) {
    std::vector<std::string> weights, biases;
    for (const std::string& one : theirs) {
      weights.push_back(one + ".weight");
      biases.push_back(one + ".bias");
    }
    tensor(ours + ".weight", {outputs, inputs}, weights);
    tensor(ours + ".bias", {outputs}, biases);
  }
  void norm(const std::string& ours, int64_t size, const std::string& theirs) {
    tensor(ours + ".weight", {size}, {theirs + ".weight"});
    tensor(ours + ".bias", {size}, {theirs + ".bias"});
  }
  std::vector<TensorNames>& all() { return all_; }

 private:
  std::vector<TensorNames> all_;
};

void add_layer(const BertConfig& c, int64_t i, Names* names) {
  const std::string ours = "bert.layers." + std::to_string(i) + ".";
  const std::string theirs = "bert.encoder.layer." + std::to_string(i) + ".";
  const std::string self = theirs + "attention.self.";
  names->dense(ours + "attention.qkv", 3 * c.d_model, c.d_model,
               {self + "query", self + "key", self + "value"});
  names->dense(ours + "attention.output", c.d_model, c.d_model,
               {theirs + "attention.output.dense"});
  names->norm(ours + "attention_norm", c.d_model, theirs + "attention.output.LayerNorm");
  names->dense(ours + "ffn.inner", c.d_ff, c.d_model, {theirs + "intermediate.dense"});
  names->dense(ours + "ffn.outer", c.d_model, c.d_ff, {theirs + "output.dense"});
  names->norm(ours + "ffn_norm", c.d_model, theirs + "output.LayerNorm");
}

}  // namespace

std::vector<int64_t> TensorNames::their_shape() const {
  std::vector<int64_t> out = shape;
  out[0] /= static_cast<int64_t>(theirs.size());
  return out;
}

std::vector<TensorNames> huggingface_names(const BertConfig& c, const HuggingfaceHeads& heads) {
  Names names;
  const std::string ours = "bert.embeddings.", theirs = "bert.embeddings.";
  names.tensor(ours + "token.weight", {c.vocab_size, c.d_model},
               {theirs + "word_embeddings.weight"});
  names.tensor(ours + "position.weight", {c.max_positions, c.d_model},
               {theirs + "position_embeddings.weight"});
  names.tensor(ours + "segment.weight", {c.segments, c.d_model},
               {theirs + "token_type_embeddings.weight"});
  names.norm(ours + "norm", c.d_model, theirs + "LayerNorm");
  for (int64_t i = 0; i < c.n_layers; ++i) add_layer(c, i, &names);
  if (heads.pooler) names.dense("nsp.dense", c.d_model, c.d_model, {"bert.pooler.dense"});
  if (heads.masked_lm) {
    names.dense("mlm.transform", c.d_model, c.d_model, {"cls.predictions.transform.dense"});
    names.norm("mlm.norm", c.d_model, "cls.predictions.transform.LayerNorm");
    names.tensor("mlm.bias", {c.vocab_size}, {"cls.predictions.bias"});
    if (!c.mlm_tied)
      names.tensor("mlm.decoder.weight", {c.vocab_size, c.d_model},
                   {"cls.predictions.decoder.weight"});
  }
  if (heads.sentence) {
    names.dense("nsp.output", 2, c.d_model, {"cls.seq_relationship"});
    for (size_t i = names.all().size() - 2; i < names.all().size(); ++i)
      names.all()[i].swapped = true;
  }
  return names.all();
}

}  // namespace minibert
