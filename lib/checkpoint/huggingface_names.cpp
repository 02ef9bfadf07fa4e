#include "checkpoint/huggingface_names.h"

#include <algorithm>

namespace minibert {
namespace {

using Family = HuggingfaceFamily;

// What one layer's parts are called, after its prefix.
struct LayerNames {
  std::string query, key, value, output, attention_norm, inner, outer, ffn_norm;
};

LayerNames layer_names(Family family) {
  if (family == Family::distilbert)
    return {"attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin",
            "sa_layer_norm",   "ffn.lin1",        "ffn.lin2",        "output_layer_norm"};
  if (family == Family::albert)
    return {"attention.query",     "attention.key", "attention.value", "attention.dense",
            "attention.LayerNorm", "ffn",           "ffn_output",      "full_layer_layer_norm"};
  return {"attention.self.query",
          "attention.self.key",
          "attention.self.value",
          "attention.output.dense",
          "attention.output.LayerNorm",
          "intermediate.dense",
          "output.dense",
          "output.LayerNorm"};
}

std::string layer_prefix(Family family, int64_t i) {
  const std::string base = huggingface_prefix(family), number = std::to_string(i) + ".";
  if (family == Family::distilbert) return base + "transformer.layer." + number;
  if (family == Family::albert)
    return base + "encoder.albert_layer_groups.0.albert_layers." + number;
  return base + "encoder.layer." + number;
}

// Dense layer and LayerNorm before the output layer.
std::pair<std::string, std::string> transform_names(Family family) {
  switch (family) {
    case Family::roberta:
      return {"lm_head.dense", "lm_head.layer_norm"};
    case Family::electra:
      return {"generator_predictions.dense", "generator_predictions.LayerNorm"};
    case Family::distilbert:
      return {"vocab_transform", "vocab_layer_norm"};
    case Family::albert:
      return {"predictions.dense", "predictions.LayerNorm"};
    case Family::bert:
      break;
  }
  return {"cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm"};
}

std::string projection_name(Family family) {
  return huggingface_prefix(family) +
         (family == Family::albert ? "encoder.embedding_hidden_mapping_in" : "embeddings_project");
}

std::string pooler_name(Family family) {
  return huggingface_prefix(family) + (family == Family::albert ? "pooler" : "pooler.dense");
}

std::string sentence_name(Family family) {
  return family == Family::albert ? "sop_classifier.classifier" : "cls.seq_relationship";
}

class Names {
 public:
  TensorNames& tensor(const std::string& ours, std::vector<int64_t> shape,
                      const std::vector<std::string>& theirs) {
    TensorNames& one = all_.emplace_back();
    one.ours = ours, one.shape = std::move(shape), one.theirs = theirs;
    return one;
  }
  void pieces(const std::string& ours, std::vector<int64_t> shape, const std::string& theirs) {
    tensor(ours, std::move(shape), {theirs}).of_pieces = true;
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

void add_embeddings(const BertConfig& c, const HuggingfaceTables& tables, Names* names) {
  const std::string ours = "bert.embeddings.";
  const std::string theirs = huggingface_prefix(tables.family) + "embeddings.";
  const int64_t e = c.embedding_size;
  names->pieces(ours + "token.weight", {c.vocab_size, e}, theirs + "word_embeddings.weight");
  names
      ->tensor(ours + "position.weight", {c.max_positions, e},
               {theirs + "position_embeddings.weight"})
      .skipped = tables.first_position;
  TensorNames& segments = names->tensor(ours + "segment.weight", {c.segments, e}, {});
  if (tables.segments > 0) segments.theirs = {theirs + "token_type_embeddings.weight"};
  if (tables.segments < c.segments) segments.their_rows = tables.segments;
  names->norm(ours + "norm", e, theirs + "LayerNorm");
  if (e != c.d_model)
    names->dense(ours + "projection", c.d_model, e, {projection_name(tables.family)});
}

void add_layer(const BertConfig& c, Family family, int64_t i, Names* names) {
  const std::string ours = "bert.layers." + std::to_string(i) + ".";
  const std::string at = layer_prefix(family, i);
  const LayerNames part = layer_names(family);
  names->dense(ours + "attention.qkv", 3 * c.d_model, c.d_model,
               {at + part.query, at + part.key, at + part.value});
  names->dense(ours + "attention.output", c.d_model, c.d_model, {at + part.output});
  names->norm(ours + "attention_norm", c.d_model, at + part.attention_norm);
  names->dense(ours + "ffn.inner", c.d_ff, c.d_model, {at + part.inner});
  names->dense(ours + "ffn.outer", c.d_model, c.d_ff, {at + part.outer});
  names->norm(ours + "ffn_norm", c.d_model, at + part.ffn_norm);
}

}  // namespace

std::vector<int64_t> TensorNames::their_shape(const HuggingfaceTables& tables) const {
  std::vector<int64_t> out = shape;
  if (of_pieces && tables.rows > 0)
    out[0] = tables.rows;
  else if (their_rows >= 0)
    out[0] = their_rows;
  else
    out[0] = out[0] / static_cast<int64_t>(theirs.size()) + skipped;
  return out;
}

void swap_halves(NamedTensor* two) {
  const auto middle = two->values.begin() + static_cast<ptrdiff_t>(two->values.size() / 2);
  std::rotate(two->values.begin(), middle, two->values.end());
}

std::string huggingface_prefix(HuggingfaceFamily family) {
  switch (family) {
    case Family::roberta:
      return "roberta.";
    case Family::electra:
      return "electra.";
    case Family::distilbert:
      return "distilbert.";
    case Family::albert:
      return "albert.";
    case Family::bert:
      break;
  }
  return "bert.";
}

std::string huggingface_class(HuggingfaceFamily family) {
  switch (family) {
    case Family::roberta:
      return "Roberta";
    case Family::electra:
      return "Electra";
    case Family::distilbert:
      return "DistilBert";
    case Family::albert:
      return "Albert";
    case Family::bert:
      break;
  }
  return "Bert";
}

OutputNames huggingface_output(HuggingfaceFamily family) {
  switch (family) {
    case Family::roberta:
      return {"lm_head.decoder.weight", "lm_head.bias", "lm_head.decoder.bias"};
    case Family::electra:
      return {"generator_lm_head.weight", "generator_lm_head.bias", ""};
    case Family::distilbert:
      return {"vocab_projector.weight", "vocab_projector.bias", ""};
    case Family::albert:
      return {"predictions.decoder.weight", "predictions.bias", "predictions.decoder.bias"};
    case Family::bert:
      break;
  }
  return {"cls.predictions.decoder.weight", "cls.predictions.bias", "cls.predictions.decoder.bias"};
}

std::string huggingface_masked_lm_mark(HuggingfaceFamily family) {
  return transform_names(family).first + ".weight";
}
std::string huggingface_sentence_mark(HuggingfaceFamily family) {
  return sentence_name(family) + ".weight";
}
std::string huggingface_pooler_mark(HuggingfaceFamily family) {
  return pooler_name(family) + ".weight";
}

std::vector<TensorNames> huggingface_names(const BertConfig& c, const HuggingfaceHeads& heads,
                                           const HuggingfaceTables& tables) {
  const Family family = tables.family;
  Names names;
  add_embeddings(c, tables, &names);
  for (int64_t i = 0; i < stored_layers(c); ++i) add_layer(c, family, i, &names);
  if (heads.pooler) names.dense("nsp.dense", c.d_model, c.d_model, {pooler_name(family)});
  if (heads.masked_lm) {
    const auto [dense, norm] = transform_names(family);
    const OutputNames output = huggingface_output(family);
    names.dense("mlm.transform", c.embedding_size, c.d_model, {dense});
    names.norm("mlm.norm", c.embedding_size, norm);
    names.pieces("mlm.bias", {c.vocab_size}, output.bias);
    if (!c.mlm_tied)
      names.pieces("mlm.decoder.weight", {c.vocab_size, c.embedding_size}, output.weight);
  }
  if (heads.sentence) {
    names.dense("nsp.output", 2, c.d_model, {sentence_name(family)});
    for (size_t i = names.all().size() - 2; i < names.all().size(); ++i)
      names.all()[i].swapped = true;
  }
  return names.all();
}

}  // namespace minibert
