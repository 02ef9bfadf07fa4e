#include "checkpoint/huggingface_names.h"

#include <algorithm>

namespace minibert {
namespace {

// The names of a layer's parts after its number: in BERT, ELECTRA and RoBERTa, and in DistilBERT.
struct LayerPart {
  const char* ours;
  std::vector<std::string> theirs, distilbert;
};
const LayerPart kLayerParts[] = {
    {"attention.qkv",
     {"attention.self.query", "attention.self.key", "attention.self.value"},
     {"attention.q_lin", "attention.k_lin", "attention.v_lin"}},
    {"attention.output", {"attention.output.dense"}, {"attention.out_lin"}},
    {"attention_norm", {"attention.output.LayerNorm"}, {"sa_layer_norm"}},
    {"ffn.inner", {"intermediate.dense"}, {"ffn.lin1"}},
    {"ffn.outer", {"output.dense"}, {"ffn.lin2"}},
    {"ffn_norm", {"output.LayerNorm"}, {"output_layer_norm"}}};

class Names {
 public:
  explicit Names(const HuggingfaceTables& tables) : tables_(tables) {}

  void add_embeddings(const BertConfig& c) {
    const std::string ours = "bert.embeddings.";
    const std::string prefix = tables_.kind->prefix, theirs = prefix + "embeddings.";
    const int64_t e = c.embedding_size;
    pieces(ours + "token.weight", {c.vocab_size, e}, theirs + "word_embeddings.weight");
    tensor(ours + "position.weight", {c.max_positions, e}, {theirs + "position_embeddings.weight"})
        .skipped = tables_.first_position;
    TensorNames& segments = tensor(ours + "segment.weight", {c.segments, e}, {});
    if (tables_.segments > 0) segments.theirs = {theirs + "token_type_embeddings.weight"};
    if (tables_.segments < c.segments) segments.their_rows = tables_.segments;
    layer(ours + "norm", {e}, {theirs + "LayerNorm"});
    if (e != c.d_model) layer(ours + "projection", {c.d_model, e}, {prefix + "embeddings_project"});
  }

  void add_layer(const BertConfig& c, int64_t i) {
    const std::vector<int64_t> shapes[] = {
        {3 * c.d_model, c.d_model}, {c.d_model, c.d_model}, {c.d_model},
        {c.d_ff, c.d_model},        {c.d_model, c.d_ff},    {c.d_model}};
    const bool distilbert = tables_.is("distilbert");
    const std::string number = std::to_string(i) + ".";
    const std::string at =
        tables_.kind->prefix + std::string(distilbert ? "transformer" : "encoder") + ".layer.";
    for (size_t part = 0; part < std::size(kLayerParts); ++part) {
      const LayerPart& one = kLayerParts[part];
      std::vector<std::string> theirs = distilbert ? one.distilbert : one.theirs;
      for (std::string& name : theirs) name.insert(0, at + number);
      layer("bert.layers." + number + one.ours, shapes[part], theirs);
    }
  }

  // A dense layer [outputs, inputs] or a LayerNorm [size], with its bias.
  void layer(const std::string& ours, const std::vector<int64_t>& shape,
             const std::vector<std::string>& theirs) {
    std::vector<std::string> weights, biases;
    for (const std::string& one : theirs) {
      weights.push_back(one + ".weight");
      biases.push_back(one + ".bias");
    }
    tensor(ours + ".weight", shape, weights);
    tensor(ours + ".bias", {shape[0]}, biases);
  }
  void pieces(const std::string& ours, std::vector<int64_t> shape, const std::string& theirs) {
    tensor(ours, std::move(shape), {theirs}).of_pieces = true;
  }
  std::vector<TensorNames>& all() { return all_; }

 private:
  TensorNames& tensor(const std::string& ours, std::vector<int64_t> shape,
                      const std::vector<std::string>& theirs) {
    TensorNames& one = all_.emplace_back();
    one.ours = ours, one.shape = std::move(shape), one.theirs = theirs;
    return one;
  }

  const HuggingfaceTables& tables_;
  std::vector<TensorNames> all_;
};

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

std::vector<TensorNames> huggingface_names(const BertConfig& c, const HuggingfaceHeads& heads,
                                           const HuggingfaceTables& tables) {
  const HuggingfaceKind& kind = *tables.kind;
  Names names(tables);
  names.add_embeddings(c);
  for (int64_t i = 0; i < stored_layers(c); ++i) names.add_layer(c, i);
  if (heads.pooler)
    names.layer("nsp.dense", {c.d_model, c.d_model},
                {kind.prefix + std::string(kHuggingfacePooler)});
  if (heads.masked_lm) {
    names.layer("mlm.transform", {c.embedding_size, c.d_model}, {kind.head_dense});
    names.layer("mlm.norm", {c.embedding_size}, {kind.head_norm});
    names.pieces("mlm.bias", {c.vocab_size}, kind.bias);
    if (!c.mlm_tied)
      names.pieces("mlm.decoder.weight", {c.vocab_size, c.embedding_size}, kind.output);
  }
  if (heads.sentence) {
    names.layer("nsp.output", {2, c.d_model}, {kHuggingfaceSentence});
    for (size_t i = names.all().size() - 2; i < names.all().size(); ++i)
      names.all()[i].swapped = true;
  }
  return names.all();
}

}  // namespace minibert
