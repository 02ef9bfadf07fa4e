#include "model/grow.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.h"
#include "model/init.h"
#include "model/marked_keys.h"

namespace minibert {
namespace {

constexpr double kUnevenness =
    0.5;  // a part is 1 + U(-kUnevenness, kUnevenness) before the parts' sum is 1

// Keys of the encoder that may differ, by the rules of check() or as the shapes of weights allow. All others
// make another function of the weights.
constexpr std::array<std::string_view, 9> kMayDiffer = {
    "d_model",  "n_heads",        "d_ff",         "n_layers",    "max_positions",
    "segments", "embedding_size", "share_layers", "local_layers"};

// The meaning of a weight's axis.
enum class Axis { fixed, embedding, model, qkv, heads, inner, ff };

struct Rule {
  std::string_view suffix;
  Axis rows, columns = Axis::fixed;
  // The columns are summed over, so that repetitions share; else they are repeated as they are.
  bool summed = false;
};

// The first that ends a name counts.
constexpr std::array kRules = {
    Rule{"nsp.dense.weight", Axis::model, Axis::model, true},
    Rule{"nsp.dense.bias", Axis::model},
    Rule{"nsp.output.weight", Axis::fixed, Axis::model, true},
    Rule{"nsp.output.bias", Axis::fixed},
    Rule{"embeddings.projection.weight", Axis::model, Axis::embedding, true},
    Rule{"embeddings.projection.bias", Axis::model},
    Rule{"embeddings.norm.weight", Axis::embedding},
    Rule{"embeddings.norm.bias", Axis::embedding},
    Rule{"embeddings.token.weight", Axis::fixed, Axis::embedding},
    Rule{"embeddings.position.weight", Axis::fixed, Axis::embedding},
    Rule{"embeddings.segment.weight", Axis::fixed, Axis::embedding},
    Rule{"attention.qkv.weight", Axis::qkv, Axis::model, true},
    Rule{"attention.qkv.bias", Axis::qkv},
    Rule{"attention.conv", Axis::fixed, Axis::qkv},
    Rule{"attention.offsets", Axis::heads},
    Rule{"attention.gate.weight", Axis::heads, Axis::model, true},
    Rule{"attention.gate.bias", Axis::heads},
    Rule{"local.value.weight", Axis::model, Axis::model, true},
    Rule{"local.value.bias", Axis::model},
    Rule{"local.conv", Axis::fixed, Axis::model},
    Rule{".output.weight", Axis::model, Axis::model, true},
    Rule{".output.bias", Axis::model},
    Rule{"ffn.inner.weight", Axis::inner, Axis::model, true},
    Rule{"ffn.inner.bias", Axis::inner},
    Rule{"ffn.outer.weight", Axis::model, Axis::ff, true},
    Rule{"ffn.outer.bias", Axis::model},
    Rule{"_norm.weight", Axis::model},
    Rule{"_norm.bias", Axis::model},
    Rule{"mlm.transform.weight", Axis::embedding, Axis::model, true},
    Rule{"mlm.transform.bias", Axis::embedding},
    Rule{"mlm.norm.weight", Axis::embedding},
    Rule{"mlm.norm.bias", Axis::embedding},
    Rule{"mlm.bias", Axis::fixed},
    Rule{"mlm.decoder.weight", Axis::fixed, Axis::embedding},
    // The query's input is mlm.norm's output, divided by the number of repetitions.
    Rule{"mlm.context.query.weight", Axis::fixed, Axis::embedding},
    Rule{"mlm.context.query.bias", Axis::fixed},
    Rule{"mlm.context.key.weight", Axis::fixed, Axis::embedding, true},
    Rule{"mlm.context.key.bias", Axis::fixed},
};
const Rule& rule_of(const std::string& name) {
  for (const Rule& rule : kRules)
    if (name.ends_with(rule.suffix)) return rule;
  throw Error("/weights/" + name + ": no rule says how it grows, expected a run of pretraining");
}

[[noreturn]] void fail(const std::string& key, int64_t found, const std::string& expected) {
  throw usage_error("model." + key + ": found " + std::to_string(found) + ", expected " + expected +
                    " to grow from");
}

void check_multiple(const std::string& key, int64_t found, int64_t of) {
  if (found % of != 0) fail(key, found, "a multiple of the " + std::to_string(of));
}

void check_equal(const std::string& key, int64_t found, int64_t expected) {
  if (found != expected) fail(key, found, "the " + std::to_string(expected));
}

void check(const BertConfig& from, const BertConfig& to) {
  check_multiple("d_model", to.d_model, from.d_model);
  check_multiple("embedding_size", to.embedding_size, from.embedding_size);
  check_equal("n_heads", to.n_heads, from.n_heads * (to.d_model / from.d_model));
  check_equal("local_layers", to.local_layers, from.local_layers);
  const std::vector<MarkedKey> was = marked_keys(from), wanted = marked_keys(to);
  for (size_t i = 0; i < was.size(); ++i)
    if (was[i].mark.of == KeyOf::function && wanted[i].value != was[i].value &&
        std::ranges::find(kMayDiffer, was[i].key) == kMayDiffer.end())
      throw usage_error("model." + was[i].key + ": found " + wanted[i].value.dump() +
                        ", expected the " + was[i].value.dump() + " to grow from");
  // Scores would grow with the repetitions, and nothing stands between encoder and output embedding.
  if (!from.mlm_transform) {
    check_equal("d_model", to.d_model, from.d_model);
    check_equal("embedding_size", to.embedding_size, from.embedding_size);
  }
  if (to.d_ff < from.d_ff) fail("d_ff", to.d_ff, "at least the " + std::to_string(from.d_ff));
  if (to.n_layers < from.n_layers)
    fail("n_layers", to.n_layers, "at least the " + std::to_string(from.n_layers));
  if (to.n_layers == from.n_layers) return;
  if (to.norm != "pre" || to.share_layers)
    fail("n_layers", to.n_layers,
         "the " + std::to_string(from.n_layers) + " (post-norm or shared layers)");
  if (from.n_layers == from.local_layers)
    fail("n_layers", to.n_layers,
         "a layer with attention among the " + std::to_string(from.n_layers));
}

class Growth {
 public:
  Growth(const BertConfig& from, const BertConfig& to, uint64_t seed)
      : from_(from), to_(to), seed_(seed) {}

  torch::Tensor grown(const std::string& name, const torch::Tensor& weight) const {
    const Rule& rule = rule_of(name);
    torch::Tensor out = repeated(weight, 0, rule.rows);
    if (weight.dim() == 2) {
      out = repeated(out, 1, rule.columns);
      if (rule.summed) out = out * parts(out.size(0), rule.columns, name);
    }
    // Scores are sums over the embedding's repetitions.
    if (name.starts_with("mlm.norm.")) out = out * from_.embedding_size / to_.embedding_size;
    return out.contiguous();
  }

 private:
  // Blocks, and the size of one, of an axis.
  struct Size {
    int64_t blocks, from, to;
  };
  Size size(Axis axis) const {
    switch (axis) {
      case Axis::embedding:
        return {1, from_.embedding_size, to_.embedding_size};
      case Axis::model:
        return {1, from_.d_model, to_.d_model};
      case Axis::qkv:
        return {3, from_.d_model, to_.d_model};
      case Axis::heads:
        return {1, from_.n_heads, to_.n_heads};
      case Axis::ff:
        return {1, from_.d_ff, to_.d_ff};
      case Axis::inner:
        return {to_.ffn == "geglu" ? 2 : 1, from_.d_ff, to_.d_ff};
      case Axis::fixed:
        break;
    }
    return {0, 0, 0};
  }
  // Which old unit each new one repeats, [blocks * to] int64.
  torch::Tensor origin(Axis axis) const {
    const Size n = size(axis);
    const torch::Tensor within = torch::arange(n.to).remainder(n.from);
    return (torch::arange(n.blocks).unsqueeze(1) * n.from + within).flatten();
  }
  torch::Tensor repeated(const torch::Tensor& weight, int64_t dim, Axis axis) const {
    return axis == Axis::fixed ? weight : weight.index_select(dim, origin(axis));
  }
  // [rows, columns]: in each row the parts of one old column sum to 1.
  torch::Tensor parts(int64_t rows, Axis columns, const std::string& name) const {
    const torch::Tensor from = origin(columns);
    torch::Tensor part = torch::empty({rows, from.size(0)});
    fill_uniform(part, kUnevenness, seed_, "grow:" + name);
    part += 1;
    const torch::Tensor sum = torch::zeros({rows, size(columns).from}).index_add(1, from, part);
    return part / sum.index_select(1, from);
  }

  const BertConfig& from_;
  const BertConfig& to_;
  uint64_t seed_;
};

}  // namespace

NamedParameters grow(const NamedParameters& weights, const BertConfig& from, const BertConfig& to,
                     uint64_t seed) {
  torch::NoGradGuard no_grad;
  check(from, to);
  const Growth growth(from, to, seed);
  NamedParameters out;
  for (const auto& [name, weight] : weights) out.emplace(name, growth.grown(name, weight));
  const std::string last = "bert.layers." + std::to_string(from.n_layers - 1) + ".";
  for (int64_t layer = from.n_layers; layer < to.n_layers; ++layer)
    for (const auto& [name, weight] : weights) {
      if (!name.starts_with(last)) continue;
      const std::string copy =
          "bert.layers." + std::to_string(layer) + "." + name.substr(last.size());
      const torch::Tensor value = growth.grown(copy, weight);
      const bool gives = name.find(".attention.output.") != std::string::npos ||
                         name.find(".ffn.outer.") != std::string::npos;
      out.emplace(copy, gives ? torch::zeros_like(value) : value);
    }
  return out;
}

}  // namespace minibert
